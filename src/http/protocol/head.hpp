#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The header block of a request: its limits, its end, and checks that Boost.Beast's parser lacks, each with
/// the attack that it prevents. All throw http::error; the connection must close, as no later byte can be
/// trusted.
namespace roost::http {

constexpr std::size_t max_head = 16 * 1024; ///< bytes of the header block, with the request line
constexpr std::size_t max_target = 8 * 1024;
constexpr std::size_t max_fields = 100;

/// How the body is delimited (RFC 9112, 6.3).
enum class framing { none, length, chunked };

/// The properties of a message and its connection according to the header.
struct head {
  unsigned minor_version = 1; ///< of HTTP/1
  framing body = framing::none;
  std::uint64_t content_length = 0; ///< if `body` is length
  bool keep_alive = true;
  bool expects_continue = false;

  /// Whether the client knows chunks (RFC 9112, 6.1).
  bool knows_chunks() const { return minor_version > 0; }
};

/// Finds the end of a header block while its bytes arrive. Boost.Beast parses a line only when it is
/// complete, and joins folded lines. The scanner refuses invalid bytes immediately, so that a slow sender of
/// garbage does not keep its connection until the timeout.
class head_scanner {
public:
  /// Scans the bytes that arrived since the last call. `buffer` starts with the header block and still
  /// contains the bytes seen before. Returns the block's length including its empty line once it is complete.
  std::optional<std::size_t> scan(std::string_view buffer);

private:
  void refuse_folded_line(std::string_view buffer) const;
  void refuse_when_too_long(std::string_view buffer) const;

  std::size_t seen_ = 0;
  std::size_t line_start_ = 0;
  std::size_t first_line_end_ = 0;
};

/// The fields that may occur only once and determine where a message ends or whom it is for.
struct message_fields {
  std::optional<std::string_view> host;
  std::optional<std::string_view> content_length;
  std::optional<std::string_view> transfer_encoding;
};

/// Sets a field. Refuses a repetition, even with the same value: parsers disagree which one applies. Two
/// lengths or codings allow request smuggling, two hosts cache poisoning.
void set_once(std::optional<std::string_view>& slot, std::string_view name, std::string_view value);

/// Prevents cache poisoning and wrong routing: Host must be valid, and only HTTP/1.0 may omit it (RFC
/// 9112, 3.2).
void check_host(const std::optional<std::string_view>& host, unsigned minor_version);

/// Prevents request smuggling by CL.CL: allows only digits, at most 18, without a leading zero. Beast accepts
/// lists of equal lengths, leading zeros and values up to 2^64 - 1.
void check_content_length(std::string_view value);

/// Prevents request smuggling by CL.TE and TE.TE: allows only a single `chunked`, in HTTP/1.1 and without
/// Content-Length. Beast takes an unknown coding for "no body" and would parse the body as the next request.
void check_transfer_encoding(const message_fields& fields, unsigned minor_version);

/// Prevents a deadlock of client and server: 417 for all expectations but `100-continue` (RFC 9110, 10.1.1).
void check_expectation(std::string_view value);

/// Returns the target for handlers, without scheme and authority. Refuses targets that RFC 9112, 3.2 does not
/// allow for the method: hosts and paths that other parsers could interpret differently (cache poisoning,
/// bypassed access rules), and bytes that could end up in logs or forwarded requests (header injection).
/// Beast refuses only controls and spaces. May change `target`: an absolute-form target with an empty path
/// gets its slash in place.
std::string_view read_target(char* target, std::size_t size, std::string_view method);

/// Refuses a malformed version with 400, an unsupported one with 505; Beast has only one error for both.
[[noreturn]] void refuse_version(std::string_view request_line);

/// Whether the text is valid in Host and as the authority of a target (RFC 9110, 7.2).
bool is_valid_host(std::string_view text);

} // namespace roost::http
