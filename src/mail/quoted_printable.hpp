#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace roost::mail {

/// What ends a line of a message (RFC 5322, 2.1).
inline constexpr std::string_view line_end = "\r\n";

/// The longest line of encoded text, without CRLF (RFC 2045, 6.7, and RFC 2047, 2).
inline constexpr std::size_t encoded_line_limit = 76;

/// A body in the quoted-printable transfer encoding (RFC 2045, 6.7) with CRLF line ends. A dot at the start
/// of a line is encoded as well: some relays mistake it for the end of the message.
std::string quoted_printable(std::string_view text);

/// UTF-8 text as encoded words (RFC 2047), folded over as many lines as it needs. `column` is where the first
/// line stands. No character is split between two words.
std::string encoded_words(std::string_view text, std::size_t column);

} // namespace roost::mail
