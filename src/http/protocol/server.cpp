#include "http/protocol/server.hpp"

#include "http/protocol/server_core.hpp"
#include "log/log.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <stdexcept>

namespace roost::http {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_interval{10};
/// How long to wait until closed connections have ended.
constexpr std::chrono::milliseconds close_timeout{500};

/// Runs `action` for each shard on the shard's thread.
template <class Action>
void on_each_shard(const std::shared_ptr<server_core>& core, Action action) {
  for (const auto& shard : core->shards)
    asio::post(shard->context, [core, &shard = *shard, action] { action(shard); });
}

/// Waits for a condition; returns false if it is not met by the deadline.
asio::awaitable<bool> wait_until(condition is_met, clock::time_point deadline) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (!is_met() && clock::now() < deadline) {
    timer.expires_after(poll_interval);
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  co_return is_met();
}

/// Registers gauges that are read on each scrape, so that they cost requests nothing.
void register_gauges(const std::shared_ptr<server_core>& core, metrics::registry& registry) {
  registry.on_scrape([weak = std::weak_ptr(core)] {
    const auto core = weak.lock();
    if (!core) return;
    core->meter.in_flight.set(static_cast<double>(core->load.in_flight()));
    core->meter.waiting.set(static_cast<double>(core->load.waiting()));
    core->meter.awaited_bodies.set(static_cast<double>(core->load.awaited_bodies()));
    core->meter.open_connections.set(static_cast<double>(core->open_connections.load()));
  });
}

} // namespace

server::server(settings settings, router router, metrics::registry& registry,
               std::vector<std::reference_wrapper<asio::io_context>> contexts)
    : core_(std::make_shared<server_core>(std::move(settings), std::move(router), registry)) {
  if (contexts.empty()) throw std::runtime_error("the HTTP server needs an I/O thread");
  for (asio::io_context& context : contexts) {
    core_->shards.push_back(std::make_unique<shard>(context));
    if (core_->tls) core_->shards.back()->tls = core_->tls->context;
  }
  register_gauges(core_, registry);
}

server::~server() { on_each_shard(core_, end_shard); }

void server::start() {
  // Unlike send(2), sendfile(2) has no flag that prevents the signal when the peer has closed the connection.
  std::signal(SIGPIPE, SIG_IGN);
  auto acceptors = open_acceptors(*core_, parse_listen_address(core_->settings.listen));
  core_->port = acceptors.front().local_endpoint().port();
  for (std::size_t i = 0; i < acceptors.size(); ++i)
    start_shard(core_, *core_->shards[i], std::move(acceptors[i]));
  log::info("listening", {{"listener", core_->settings.name},
                          {"address", core_->settings.listen},
                          {"port", port()},
                          {"tls", core_->tls.has_value()}});
}

void server::stop_accepting() { on_each_shard(core_, http::stop_accepting); }

asio::awaitable<bool> server::finish_writes(std::chrono::milliseconds timeout) {
  const auto core = core_;
  const auto deadline = clock::now() + timeout;
  core->load.stop(); // before the shards check it
  stop_accepting();
  on_each_shard(core, stop_receiving);
  const condition nothing_writes = [core] { return core->load.writing() == 0; };
  co_return co_await wait_until(nothing_writes, deadline);
}

asio::awaitable<bool> server::drain(std::chrono::milliseconds timeout) {
  const auto core = core_;
  const auto deadline = clock::now() + timeout;
  co_await finish_writes(timeout);
  const condition is_closed = [core] { return core->open_connections == 0; };
  const bool clean = co_await wait_until(is_closed, deadline);
  if (!clean) {
    on_each_shard(core, close_connections);
    co_await wait_until(is_closed, clock::now() + close_timeout);
  }
  on_each_shard(core, end_shard);
  co_return clean;
}

bool server::replace_certificate(const std::string& certificate_file, const std::string& key_file) {
  if (!core_->tls) throw std::runtime_error("enabling TLS on a listener requires a restart");
  auto loaded = load_tls(certificate_file, key_file);
  const bool is_changed = loaded.certificate.sha256 != core_->tls->certificate.sha256;
  if (is_changed) // otherwise resumable sessions would be lost for nothing
    on_each_shard(core_, [context = loaded.context](shard& shard) { shard.tls = context; });
  else
    loaded.context = core_->tls->context;
  core_->tls = std::move(loaded);
  return is_changed;
}

std::optional<certificate_facts> server::certificate() const {
  if (!core_->tls) return std::nullopt;
  return core_->tls->certificate;
}

std::uint16_t server::port() const { return core_->port; }

} // namespace roost::http
