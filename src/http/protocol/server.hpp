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
#include <optional>
#include <string>
#include <vector>

namespace roost::http {

struct server_core;

/// An HTTP/1.1 and HTTP/1.0 server over TCP or TLS (1.2 and up, ALPN http/1.1) on threads of somebody else:
/// each io_context is run by exactly one thread, and a connection stays on the one that accepted it.
///
/// A request goes: header (RFC 9112, strictly: anything ambiguous is refused and the connection closed),
/// route, the route's checks, content type, size, body, in flight cap, handler. Answers of a connection come
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
  /// Takes no more requests: closes the listeners and what is idle, answers 503 busy to a request that has
  /// not come whole, and waits until none is being handled that may write (all but GET and HEAD). Returns
  /// whether that was so before the time was over. Answers may still be on their way.
  boost::asio::awaitable<bool> finish_writes(std::chrono::milliseconds timeout);
  /// The same, and lets all requests that are under way get their answers; closes by force what is left when
  /// the time is over. Returns whether nothing had to be forced.
  boost::asio::awaitable<bool> drain(std::chrono::milliseconds timeout);
  /// Reads the certificate and its key anew. New connections get them, open ones go on. False when it is the
  /// one that the listener has. Throws std::runtime_error with one line when they cannot be used or there is
  /// no TLS; the old ones stay. For one thread at a time, as certificate().
  bool replace_certificate(const std::string& certificate_file, const std::string& key_file);
  /// Nothing without TLS.
  std::optional<certificate_facts> certificate() const;
  /// The port that start() bound.
  std::uint16_t port() const;

private:
  std::shared_ptr<server_core> core_;
};

} // namespace roost::http
