#pragma once

#include "http/protocol/address.hpp"
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
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

/// What the connections of a server share.
namespace roost::http {

/// A connection as its shard sees it: something with a deadline. One coarse timer a thread looks at all
/// deadlines, so that a request costs no timer of its own.
class timed_connection
    : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr time_point never = time_point::max();

  virtual ~timed_connection() = default;

  /// Ends what the connection waits for; it decides what that means.
  virtual void expire() = 0;
  /// Ends the wait for what the client sends; what is being sent to it goes on.
  virtual void stop_receiving() = 0;
  /// Ends the connection.
  virtual void close() = 0;

  time_point deadline() const { return deadline_; }

protected:
  time_point deadline_ = never;
};

using connection_list = boost::intrusive::list<timed_connection, boost::intrusive::constant_time_size<false>>;

/// Unique within the process and, by a random start, in practice between processes: 16 hexadecimal digits.
class request_ids {
public:
  request_ids();
  std::array<char, 16> next();

private:
  std::uint64_t state_;
};

/// One I/O thread's part of the server; only that thread touches it after the start.
struct shard {
  explicit shard(boost::asio::io_context& context) : context(context) {}

  boost::asio::io_context& context;
  // Both live in the shard's coroutines, which end with their context at the latest; a shard may live longer,
  // as connections on the other threads hold the core.
  boost::asio::ip::tcp::acceptor* acceptor = nullptr;
  boost::asio::steady_timer* ticker = nullptr;
  connection_list connections;
  wire::date_clock date;
  request_ids ids;
  bool ended = false;
  std::shared_ptr<boost::asio::ssl::context> tls; ///< of new connections; null: they are plain
};

struct server_core {
  server_core(http::settings settings, http::router router, metrics::registry& registry);

  http::settings settings;
  http::router router;
  proxy_list proxies;
  std::optional<tls_identity> tls; ///< for the thread that starts and reloads; the shards have theirs
  metrics::listener_meter meter;
  workload load;
  std::deque<metrics::route_meter> route_meters; ///< by index of router.entries()
  metrics::route_meter unmatched_meter;          ///< requests that no route answers
  std::vector<std::unique_ptr<shard>> shards;
  std::uint16_t port = 0; ///< that start() bound
  std::atomic<std::size_t> open_connections = 0;
};

} // namespace roost::http
