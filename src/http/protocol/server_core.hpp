#pragma once

#include "actors/runtime/ask.hpp"
#include "http/protocol/address.hpp"
#include "http/protocol/head.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/router.hpp"
#include "http/protocol/settings.hpp"
#include "http/protocol/tls.hpp"
#include "http/protocol/workload.hpp"
#include "metrics/http_metrics.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

/// State shared by the connections of a server, the checks of a request's header, the log of requests, and
/// the functions that accept and serve connections.
namespace roost::http {

/// A connection as its shard sees it: an object with a deadline. One coarse timer per thread checks all
/// deadlines, so that requests need no timers of their own.
class timed_connection
    : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr time_point never = time_point::max();

  virtual ~timed_connection() = default;

  /// Cancels the pending operation because of the deadline; the connection decides how to continue.
  virtual void expire() = 0;
  /// Cancels waiting for input from the client; output continues.
  virtual void stop_receiving() = 0;
  virtual void close() = 0;

  time_point deadline() const { return deadline_; }

protected:
  time_point deadline_ = never;
};

using connection_list = boost::intrusive::list<timed_connection, boost::intrusive::constant_time_size<false>>;

/// Generates request IDs of 16 hexadecimal digits: unique, between processes because of a random start.
class request_ids {
public:
  request_ids();
  std::array<char, 16> next();

private:
  std::uint64_t state_;
};

/// One I/O thread's part of the server; after the start only that thread uses it.
struct shard {
  explicit shard(boost::asio::io_context& context) : context(context) {}

  boost::asio::io_context& context;
  // The shard's coroutines own both and end at the latest with their context. A shard may live longer,
  // because connections on other threads share the core.
  boost::asio::ip::tcp::acceptor* acceptor = nullptr;
  boost::asio::steady_timer* ticker = nullptr;
  connection_list connections;
  wire::date_clock date;
  request_ids ids;
  bool ended = false;
  std::shared_ptr<boost::asio::ssl::context> tls; ///< for new connections; null: plain TCP
};

struct server_core {
  server_core(http::settings settings, http::router router, metrics::registry& registry);

  http::settings settings;
  http::router router;
  proxy_list proxies;
  std::optional<tls_identity> tls; ///< for the thread that starts and reloads; the shards have copies
  metrics::listener_meter meter;
  workload load;
  std::deque<metrics::route_meter> route_meters; ///< by index of router.entries()
  metrics::route_meter unmatched_meter;          ///< for requests that match no route
  std::vector<std::unique_ptr<shard>> shards;
  std::uint16_t port = 0; ///< the port that start() bound
  std::atomic<std::size_t> open_connections = 0;
};

/// Checks a request before its body is read, in this order: the path's encoding, the route, the route's
/// checks, the content type, the size. Throws http::error. Sets `index` early, to count refusals for it, and
/// the request's prefix.
void admit(const server_core& core, const head& head, request& req, std::size_t& index);

/// Returns the maximum size of the body of a request for a route, in bytes: the route's or the listener's.
std::size_t max_body(const server_core& core, std::size_t route);

/// Whether the route only reads: GET, which includes HEAD (RFC 9110, 9.2.1).
bool only_reads(const route& route);

/// Whether a response of this route or of its checks is still valid. Evaluates `holds` for reads and for
/// refusals, but neither for completed writes nor for failures.
bool still_holds(const route& route, const response& response);

/// Returns the refusal of a request that an actor or the store did not fulfill: the client may retry, unless
/// the store cannot hold a value that it sent.
error refusal_of(const actors::ask_error& failed);

/// Refuses an empty body that was announced as JSON.
void check_body(body_policy policy, const request& req);

/// Counts a completed request and logs it: at info if it may have changed something or was refused (but not
/// because this server is not the writer), otherwise at debug. `route`: router::npos if none matched.
void record(server_core& core, const request& req, std::size_t route, unsigned status,
            std::chrono::steady_clock::duration duration);

/// Logs the type of an exception other than a refusal; its text may contain data from the request.
void record_failure(const server_core& core, const request& req, std::size_t route,
                    const std::exception_ptr& failure);

// Listening

/// Returns an acceptor per shard, all bound to one address: the kernel distributes connections among them.
/// Throws std::runtime_error with one line.
std::vector<boost::asio::ip::tcp::acceptor> open_acceptors(const server_core& core,
                                                           const boost::asio::ip::tcp::endpoint& address);

/// Serves a connection on its shard's thread until it closes, over TLS if the server uses it. With
/// `over_limit`, answers its first request with 503 busy and closes it.
void serve_connection(std::shared_ptr<server_core> core, shard& shard, boost::asio::ip::tcp::socket socket,
                      bool over_limit);

/// Starts a shard: its accept loop and the check of its deadlines.
void start_shard(const std::shared_ptr<server_core>& core, shard& shard,
                 boost::asio::ip::tcp::acceptor acceptor);

// Call the following functions on the shard's thread.

/// Ends both and closes the shard's connections.
void end_shard(shard& shard);
void stop_accepting(shard& shard);
/// Ends waiting for requests, or for the rest of one, on the shard's connections.
void stop_receiving(shard& shard);
void close_connections(shard& shard);

} // namespace roost::http
