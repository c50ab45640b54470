#pragma once

#include "domain/booking.hpp"

#include <string>
#include <string_view>

namespace roost::mail {

/// Whether the text is `local-part@domain` and safe in a header and in an SMTP command: printable ASCII
/// without spaces, quotes, brackets and list separators, at most 254 characters (RFC 5321, 4.5.3.1).
bool is_address(std::string_view text);

/// Formats the message for transmission (RFC 5322), with CRLF line ends: multipart/alternative of text and
/// HTML, both in UTF-8 as quoted-printable. The Message-ID is derived from the mail's id, so that a second
/// delivery of the same mail can be recognized.
///
/// Throws send_failed (permanent) if the recipient is not an address, and std::invalid_argument if the sender
/// is not.
std::string to_rfc5322(const domain::outgoing_mail& mail, std::string_view from);

} // namespace roost::mail
