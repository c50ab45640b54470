#pragma once

#include "domain/booking.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace roost::mail {

/// The error of a message that was not delivered. what() may be logged: it contains no personal data.
struct send_failed : std::runtime_error {
  send_failed(std::string error_class, bool permanent, const std::string& detail = {})
      : std::runtime_error(detail.empty() ? error_class : error_class + ": " + detail),
        error_class(std::move(error_class)), permanent(permanent) {}

  /// `unreachable`, `timeout`, `interrupted`, `tls`, `authentication`, `deferred` (an SMTP 4xx reply),
  /// `refused` (a 5xx reply), `rejected_recipient`, `disk` or `internal`.
  std::string error_class;
  bool permanent; ///< a retry cannot succeed
  /// The library's and the server's messages. Never log them: they may contain personal data.
  std::string server_message = {};
};

/// Returns how long to wait after the `attempts`th failure of a mail: 30 s, doubled each time, at most an
/// hour. nullopt once the waits add up to three days: give up.
inline std::optional<std::chrono::seconds> retry_after(int attempts) {
  using namespace std::chrono_literals;
  constexpr std::chrono::seconds min_wait = 30s, max_wait = 1h, max_total = 72h;
  auto wait = min_wait;
  std::chrono::seconds total{};
  for (int failed = 1; failed < attempts; ++failed) {
    total += wait;
    if (total >= max_total) return std::nullopt;
    wait = std::min(wait * 2, max_wait);
  }
  return wait;
}

/// The way by which mail leaves the service. Calls block, so not for I/O threads. Thread-safe.
class transport {
public:
  virtual ~transport() = default;

  /// Sends a message. Throws send_failed. A crash before settle() may lose it. Returns the server's reply or
  /// the path that the file has after settle(), for operators who send by hand. Never log it: it may contain
  /// personal data.
  virtual std::string send(const domain::outgoing_mail& mail) = 0;

  /// Returns once no sent message can be lost any more. Throws send_failed: all messages since the last call,
  /// of any thread, may be lost.
  virtual void settle() {}

  /// Makes a send() that waits for a slow server fail within about a second, and all later ones immediately,
  /// because the process is about to end. Any thread may call it.
  virtual void interrupt() {}
};

/// Returns a transport that writes each message to a file named by its time and id. Creates the folder if it
/// is missing. A file gets its final name in settle(), when it is complete and durable; sending the same mail
/// again replaces its file. Throws std::invalid_argument if `from` is not an address.
std::unique_ptr<transport> file_transport(std::filesystem::path folder, std::string from);

/// An SMTP server that relays mail (RFC 5321).
struct smtp_server {
  std::string host; ///< a name or an address; IPv6 in brackets
  std::uint16_t port = 0;
  bool implicit_tls = false; ///< TLS from the first byte, with a verified certificate
  std::string user;          ///< empty: no authentication
  std::string password;
  std::chrono::milliseconds connect_timeout = std::chrono::seconds{5}; ///< until the end of the greetings
  std::chrono::milliseconds total_timeout = std::chrono::seconds{30};  ///< for one message
};

/// Returns a transport that sends mail to a server and reuses the connection within a burst.
///
/// Without implicit TLS, STARTTLS is used if the server offers it. A password leaves this machine only under
/// TLS with a verified certificate. Throws std::invalid_argument if `from` is not an address.
std::unique_ptr<transport> smtp_transport(smtp_server server, std::string from);

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
