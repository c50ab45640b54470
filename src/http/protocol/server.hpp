#pragma once

#include "http/protocol/router.hpp"
#include "http/protocol/settings.hpp"
#include "metrics/registry.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost::http {

struct server_core;

/// An HTTP/1.1 and HTTP/1.0 server over TCP or TLS (1.2 or later, ALPN http/1.1). The caller provides the
/// threads: exactly one must run each io_context. A connection stays on the thread that accepted it.
///
/// The steps of a request are: header (RFC 9112, strictly: anything ambiguous is refused and the connection
/// closed), route, the route's checks, content type, size, body, limit of requests in flight, handler. The
/// responses of a connection are sent in the order of its requests.
class server {
public:
  /// `registry` and the contexts must outlive all connections. Throws std::runtime_error with one line if the
  /// certificate, the key, the address or a trusted proxy is invalid.
  server(settings settings, router router, metrics::registry& registry,
         std::vector<std::reference_wrapper<boost::asio::io_context>> contexts);
  /// Closes all open connections without waiting.
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// Opens the port. Throws std::runtime_error with one line if the address is in use.
  void start();
  /// Closes the acceptors; open connections continue.
  void stop_accepting();
  /// Accepts no more requests: closes acceptors and idle connections, answers incomplete requests with 503
  /// busy, and waits until no request that may write (all but GET and HEAD) is being handled. Returns false
  /// on timeout. Responses may still be in transit.
  boost::asio::awaitable<bool> finish_writes(std::chrono::milliseconds timeout);
  /// Does the same, and then waits for the responses to all accepted requests. Closes the remaining
  /// connections on timeout and returns false then.
  boost::asio::awaitable<bool> drain(std::chrono::milliseconds timeout);
  /// Reloads the certificate and its key for new connections; open ones continue. Returns false if the
  /// certificate has not changed. Throws std::runtime_error with one line if they cannot be used or TLS is
  /// off, and keeps the old ones. Not thread-safe, like certificate().
  bool replace_certificate(const std::string& certificate_file, const std::string& key_file);
  /// nullopt without TLS.
  std::optional<certificate_facts> certificate() const;
  /// Returns the port that start() bound.
  std::uint16_t port() const;

private:
  std::shared_ptr<server_core> core_;
};

} // namespace roost::http
