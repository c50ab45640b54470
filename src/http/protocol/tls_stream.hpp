#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <openssl/ssl.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace roost::http {

/// A server's side of a TLS connection. OpenSSL writes to the socket itself: Asio's own stream copies each
/// record to memory first. Input does pass through memory: it is small, and for OpenSSL to read the socket,
/// each request would need two more system calls.
///
/// Operations fail on errors, at the end of input, and when the socket's operations are cancelled.
class tls_stream {
public:
  /// The most bytes in a record (RFC 8446, 5.1).
  static constexpr std::size_t max_record_size = 16 * 1024;

  /// The context must outlive the handshake. Make the socket non-blocking before the first operation.
  /// Throws std::bad_alloc.
  tls_stream(boost::asio::ip::tcp::socket socket, SSL_CTX* context);

  boost::asio::ip::tcp::socket& next_layer() { return socket_; }

  boost::asio::awaitable<bool> handshake();
  /// Returns 0 if it failed.
  boost::asio::awaitable<std::size_t> read_some(boost::asio::mutable_buffer space);
  /// Writes at most one record. Returns how many of the bytes it contains; 0 if it failed.
  boost::asio::awaitable<std::size_t> write_some(boost::asio::const_buffer bytes);
  /// Sends the close_notify alert (RFC 8446, 6.1), which marks the end of the data. Does not wait for the
  /// client's alert.
  boost::asio::awaitable<void> close_notify();

private:
  struct deleter {
    void operator()(SSL* tls) const { SSL_free(tls); }
  };

  /// Repeats an operation of OpenSSL until the socket lets it complete. Input that the operation needs is
  /// received into `scratch`. Returns the operation's result; 0 if it failed.
  boost::asio::awaitable<int> complete(std::function<int(SSL*)> operation,
                                       boost::asio::mutable_buffer scratch);
  /// Passes input from the socket to OpenSSL. Returns false if there is none.
  boost::asio::awaitable<bool> receive(boost::asio::mutable_buffer scratch);
  boost::asio::awaitable<bool> writable();

  boost::asio::ip::tcp::socket socket_;
  std::unique_ptr<SSL, deleter> tls_;
};

} // namespace roost::http
