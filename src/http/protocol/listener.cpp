#include "http/protocol/server_core.hpp"
#include "log/log.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace roost::http {
namespace {

namespace ip = boost::asio::ip;
using clock = std::chrono::steady_clock;
using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

constexpr int backlog = 4096;
/// The number of connections above the limit that may get a 503; any further ones are closed immediately.
constexpr std::size_t max_refused_connections = 256;
/// How long to wait without file descriptors: accepting cannot succeed before some are closed.
constexpr std::chrono::milliseconds accept_pause{50};

void bind(ip::tcp::acceptor& acceptor, const ip::tcp::endpoint& address, bool shared) {
  boost::system::error_code failure;
  const auto check = [&] {
    if (!failure) return;
    std::ostringstream text;
    text << "cannot listen on " << address << ": " << failure.message();
    throw std::runtime_error(text.str());
  };
  acceptor.open(address.protocol(), failure), check();
  acceptor.set_option(ip::tcp::acceptor::reuse_address(true), failure), check();
  if (shared) acceptor.set_option(reuse_port(true), failure), check();
  acceptor.bind(address, failure), check();
  acceptor.listen(backlog, failure), check();
}

/// Returns how often deadlines are checked: after an eighth of the shortest timeout.
std::chrono::milliseconds tick_interval(const settings& settings) {
  const auto shortest = std::min(
      {settings.header_timeout, settings.body_timeout, settings.idle_timeout, settings.write_timeout});
  return std::clamp(shortest / 8, std::chrono::milliseconds(5), std::chrono::milliseconds(500));
}

/// Sets one of the shard's pointers to an object that a coroutine owns, for the lifetime of the coroutine.
template <class Object>
class exposed {
public:
  exposed(Object*& slot, Object& object) : slot_(slot) { slot_ = &object; }
  ~exposed() { slot_ = nullptr; }
  exposed(const exposed&) = delete;

private:
  Object*& slot_;
};

asio::awaitable<void> watch_deadlines(std::shared_ptr<server_core> core, shard& shard) {
  asio::steady_timer ticker(shard.context);
  const exposed pointer(shard.ticker, ticker);
  const auto tick = tick_interval(core->settings);
  while (!shard.ended) {
    ticker.expires_after(tick);
    auto [cancelled] = co_await ticker.async_wait(as_result);
    if (cancelled) co_return;
    const auto now = clock::now();
    for (auto at = shard.connections.begin(); at != shard.connections.end();) {
      auto& connection = *at++;
      if (connection.deadline() <= now) connection.expire();
    }
  }
}

void serve_or_refuse(const std::shared_ptr<server_core>& core, shard& shard, ip::tcp::socket socket) {
  core->meter.accepted_connections.increment();
  const auto open = core->open_connections.load(std::memory_order_relaxed);
  const bool over_limit = open >= core->settings.max_connections;
  if (over_limit) core->meter.refused_connections.increment();
  if (open < core->settings.max_connections + max_refused_connections)
    serve_connection(core, shard, std::move(socket), over_limit);
}

bool is_out_of_resources(const boost::system::error_code& failure) {
  return failure == asio::error::no_descriptors || failure == asio::error::no_buffer_space ||
         failure == asio::error::no_memory || failure.value() == ENFILE;
}

asio::awaitable<void> accept_connections(std::shared_ptr<server_core> core, shard& shard,
                                         ip::tcp::acceptor acceptor) {
  const exposed pointer(shard.acceptor, acceptor);
  bool logged = false;
  while (acceptor.is_open()) {
    auto [failure, socket] = co_await acceptor.async_accept(as_result);
    if (failure == asio::error::operation_aborted || !acceptor.is_open()) co_return;
    if (is_out_of_resources(failure)) {
      if (!std::exchange(logged, true)) log::error("accept_failed", {{"reason", failure.message()}});
      asio::steady_timer pause(shard.context, accept_pause);
      co_await pause.async_wait(as_result);
      continue;
    }
    logged = false;
    // Any other failure concerns a single client that disconnected before it was accepted.
    if (!failure) serve_or_refuse(core, shard, std::move(socket));
  }
}

} // namespace

std::vector<ip::tcp::acceptor> open_acceptors(const server_core& core, const ip::tcp::endpoint& address) {
  const bool shared = core.shards.size() > 1;
  if (shared && address.port() != 0) {
    // SO_REUSEPORT would also share the port with another process; binding without it detects that conflict.
    ip::tcp::acceptor probe(core.shards.front()->context);
    bind(probe, address, false);
  }
  std::vector<ip::tcp::acceptor> acceptors;
  auto bound = address;
  for (const auto& shard : core.shards) {
    bind(acceptors.emplace_back(shard->context), bound, shared);
    bound = acceptors.back().local_endpoint();
  }
  return acceptors;
}

void start_shard(const std::shared_ptr<server_core>& core, shard& shard, ip::tcp::acceptor acceptor) {
  asio::co_spawn(shard.context, accept_connections(core, shard, std::move(acceptor)),
                 [](const std::exception_ptr& failure) {
                   if (failure) log::error("accepting_ended");
                 });
  asio::co_spawn(shard.context, watch_deadlines(core, shard), asio::detached);
}

void end_shard(shard& shard) {
  shard.ended = true;
  if (shard.ticker != nullptr) shard.ticker->cancel();
  stop_accepting(shard);
  close_connections(shard);
}

void stop_accepting(shard& shard) {
  boost::system::error_code ignored;
  if (shard.acceptor != nullptr) shard.acceptor->close(ignored);
}

void stop_receiving(shard& shard) {
  for (auto& connection : shard.connections) connection.stop_receiving();
}

void close_connections(shard& shard) {
  for (auto at = shard.connections.begin(); at != shard.connections.end();) {
    auto& connection = *at++;
    connection.close();
  }
}

} // namespace roost::http
