#pragma once

#include "domain/booking.hpp"
#include "mail/transport.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace roost::mail {

/// Where mail leaves the service. Blocks until the message is handed over, so not for an I/O thread. May be
/// used by several threads, which then take turns.
class transport {
public:
  virtual ~transport() = default;

  /// Hands one message over. Throws send_failed. A crash before settle() may lose it. Returns what a server
  /// answered, or the file's path once it is settled: for whoever sends by hand. It may name people: not for
  /// a log.
  virtual std::string send(const domain::outgoing_mail& mail) = 0;

  /// Returns when nothing that was sent can be lost any more. Throws send_failed: anything since the last
  /// call may be lost, whoever sent it.
  virtual void settle() {}

  /// Makes a send() that waits for a slow server fail within a second or so, and every later one at once: the
  /// process is about to end. Any thread.
  virtual void interrupt() {}
};

/// Writes each message into a file of its own, named by its time and id; the folder is made when it is
/// missing. A file gets its name in settle(), when it is complete and survives a crash; the same mail again
/// replaces its file. Throws std::invalid_argument when `from` is no address.
std::unique_ptr<transport> file_transport(std::filesystem::path folder, std::string from);

/// An SMTP server to hand mail to (RFC 5321).
struct smtp_server {
  std::string host; ///< a name or an address; IPv6 in brackets
  std::uint16_t port = 0;
  bool implicit_tls = false; ///< TLS from the first byte, with a verified certificate
  std::string user;          ///< empty: no sign-in
  std::string password;
  std::chrono::milliseconds connect_timeout = std::chrono::seconds{5}; ///< up to the end of the greetings
  std::chrono::milliseconds total_timeout = std::chrono::seconds{30};  ///< for one message
};

/// Hands mail to a server; connections are used again within a burst.
///
/// Without implicit TLS, STARTTLS is used when the server offers it. A password leaves this machine only
/// under TLS with a verified certificate. Throws std::invalid_argument when `from` is no address.
std::unique_ptr<transport> smtp_transport(smtp_server server, std::string from);

} // namespace roost::mail
