#pragma once

#include "http/protocol/head.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

/// What Boost.Beast's parser lets pass in a request line and in header fields and this server does not, each
/// check with the attack that it is for. They throw http::error; the connection must close then, since
/// nothing that follows can be trusted.
namespace roost::http {

/// The fields of which a message has one at most, and that decide where it ends or whom it is for.
struct message_fields {
  std::optional<std::string_view> host;
  std::optional<std::string_view> content_length;
  std::optional<std::string_view> transfer_encoding;
};

/// Refuses a second field of the same name, even with the same value: readers disagree about which of them
/// holds. Two lengths or codings are request smuggling, two hosts poison caches.
void note_once(std::optional<std::string_view>& slot, std::string_view name, std::string_view value);

/// Cache poisoning and wrong routing by Host (RFC 9112, 3.2): exactly one, valid; only HTTP/1.0 may leave it
/// out.
void check_host(const std::optional<std::string_view>& host, unsigned minor_version);

/// Request smuggling by CL.CL: digits alone, without a leading zero. Beast takes lists of equal lengths and
/// leading zeros, and up to 2^64 - 1; more than 18 digits are refused here.
void check_content_length(std::string_view value);

/// Request smuggling by CL.TE and TE.TE: `chunked`, once, alone, in HTTP/1.1 and without Content-Length.
/// Beast takes an unknown coding for "no body" and would read the body as the next request.
void check_transfer_encoding(const message_fields& fields, unsigned minor_version);

/// An expectation that is not kept would leave client and server waiting for each other (RFC 9110, 10.1.1):
/// 417 for all but `100-continue`.
void check_expectation(std::string_view value);

/// The target as a handler sees it, without scheme and authority. Refuses what RFC 9112, 3.2 does not allow
/// for the method: hosts and paths that another reader would take apart differently (cache poisoning, access
/// rules passed by), and bytes that a log or a forwarded request would carry on (header injection). Beast
/// lets every byte but controls and spaces pass. `target` may be changed: an absolute-form target with an
/// empty path gets its slash in place.
std::string_view read_target(char* target, std::size_t size, std::string_view method);

/// Beast has one error for a version that is malformed (400) and one that is not spoken here (505).
[[noreturn]] void refuse_version(std::string_view request_line);

/// Whether the text may stand in Host or as the authority of a target (RFC 9110, 7.2).
bool is_valid_host(std::string_view text);

} // namespace roost::http
