#pragma once

#include "domain/booking.hpp"
#include "domain/email_address.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace roost::mail {

/// The error of a message that was not delivered. what() may be logged: it contains no personal data.
struct send_failed : std::runtime_error {
  send_failed(std::string error_class, bool permanent, const std::string& detail = {})
      : std::runtime_error(detail.empty() ? error_class : error_class + ": " + detail),
        error_class(std::move(error_class)), permanent(permanent) {}

  /// `unreachable`, `timeout`, `interrupted`, `tls`, `authentication`, `deferred` (an SMTP 4xx reply),
  /// `refused` (a 5xx reply), `rejected_recipient`, `unconfirmed`, `disk` or `internal`.
  std::string error_class;
  bool permanent;                  ///< a retry cannot succeed
  bool possibly_delivered = false; ///< the message was handed over, but the outcome is unknown
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

/// Called with the ids of messages right before they may be delivered, so that the attempt can be recorded
/// durably. If it throws, they are not delivered.
using delivery_gate = std::function<void(std::span<const domain::uuid> ids)>;

/// The result of sending a message.
struct send_result {
  /// The server's reply or the path of the file, for operators. Never log it: it may contain personal data.
  std::string receipt;
  std::optional<send_failed> failure = {};
};

/// The way by which mail leaves the service. Calls block, so not for I/O threads. Thread-safe.
class transport {
public:
  virtual ~transport() = default;

  /// Sends messages and returns once delivered ones can no longer be lost. Returns a result for each one.
  virtual std::vector<send_result> send(std::span<const domain::outgoing_mail> mails,
                                        const delivery_gate& gate) = 0;

  /// Returns how many messages are best sent together.
  virtual std::size_t batch_size() const { return 1; }

  /// Whether the recipient gets a mail once however often it is sent. Otherwise the number of deliveries
  /// without a known outcome is limited.
  virtual bool is_repeatable() const { return false; }

  /// Makes a send() that waits for a slow server fail within about a second, and all later ones immediately,
  /// because the process is about to end. Any thread may call it.
  virtual void interrupt() {}
};

/// Sends one message without recording it, and returns its receipt. Throws send_failed.
std::string send_unrecorded(transport& transport, const domain::outgoing_mail& mail);

/// Returns a transport that writes each message to a file named by its time and id. Creates the folder if it
/// is missing. A file gets its final name when it is complete and durable; sending the same mail again
/// replaces its file. Throws std::invalid_argument if `from` is not a valid sender.
std::unique_ptr<transport> file_transport(std::filesystem::path folder, std::string from);

/// An SMTP server that relays mail (RFC 5321).
struct smtp_server {
  std::string host; ///< a name or an address; IPv6 in brackets
  std::uint16_t port = 0;
  bool implicit_tls = false; ///< TLS from the first byte, with a verified certificate
  /// Without implicit TLS: plain text is acceptable for mail to another machine. Passwords always need TLS.
  bool opportunistic_tls = false;
  std::string user; ///< empty: no authentication
  std::string password;
  std::chrono::milliseconds connect_timeout = std::chrono::seconds{5}; ///< until the end of the greetings
  /// For one message, until the server has received all of it.
  std::chrono::milliseconds send_timeout = std::chrono::minutes{5};
  /// Until the server confirms a message that it has received (RFC 5321, 4.5.3.2.6).
  std::chrono::milliseconds confirmation_timeout = std::chrono::minutes{10};
};

/// Returns a transport that sends mail to a server. It uses a connection for each concurrent send() and
/// reuses it within a burst.
///
/// Without implicit TLS, mail to another machine requires STARTTLS and a verified certificate, and mail to
/// this machine uses STARTTLS if it is offered. An address with characters beyond ASCII before the `@`
/// requires a server that offers SMTPUTF8 (RFC 6531). Throws std::invalid_argument if `from` is not a valid
/// sender.
std::unique_ptr<transport> smtp_transport(smtp_server server, std::string from);

/// Parses the sender of mail: an address with an ASCII local part, or `Name <address>`. Throws
/// std::invalid_argument.
domain::mailbox sender_of(std::string_view from);

/// Returns the recipient's address with its domain in ASCII. Throws send_failed (permanent).
std::string recipient_of(const domain::outgoing_mail& mail);

/// Formats the message for transmission (RFC 5322), with CRLF line ends: multipart/alternative of text and
/// HTML, both in UTF-8 as quoted-printable. The Message-ID is derived from the mail's id, so that a second
/// delivery of the same mail can be recognized.
///
/// Throws send_failed (permanent) if the recipient is not an address, and std::invalid_argument if the sender
/// is neither an address nor `Name <address>`.
std::string to_rfc5322(const domain::outgoing_mail& mail, std::string_view from);

} // namespace roost::mail
