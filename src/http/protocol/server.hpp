#pragma once

#include "http/protocol/router.hpp"
#include "http/protocol/settings.hpp"
#include "metrics/registry.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roost::http {

struct server_core;

/// An HTTP/1.1 and HTTP/1.0 server over TCP or TLS (1.2 and up, ALPN http/1.1) on threads of somebody else:
/// each io_context is run by exactly one thread, and a connection stays on the one that accepted it.
///
/// A request goes: header (RFC 9112, strictly: anything ambiguous is refused and the connection closed),
/// route, in flight cap, the route's checks, content type, size, body, handler. Answers of a connection come
/// in the order of its requests. The one place that knows more is connection.hpp.
class server {
public:
  /// `registry` and the contexts must outlive every connection. Throws std::runtime_error with one line when
  /// the certificate, the key, the address or a trusted proxy cannot be used.
  server(settings settings, router router, metrics::registry& registry,
         std::vector<std::reference_wrapper<boost::asio::io_context>> contexts);
  /// Closes what is still open, without waiting.
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// Listens; throws std::runtime_error with one line when the address is taken. Before it the port is
  /// closed.
  void start();
  /// Closes the listeners; connections go on.
  void stop_accepting();
  /// Stops accepting, closes idle connections and lets those with a request finish it; closes by force what
  /// is left when the time is over. Returns whether nothing had to be forced.
  boost::asio::awaitable<bool> drain(std::chrono::milliseconds timeout);
  /// The port that start() bound.
  std::uint16_t port() const;

private:
  std::shared_ptr<server_core> core_;
};

} // namespace roost::http
