#pragma once

#include "http/protocol/server.hpp"
#include "log/log.hpp"
#include "support/eventually.hpp"
#include "support/raw_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace roost::http::testing {

using roost::testing::raw_client;
using roost::testing::raw_response;
using roost::testing::responses_in;
using roost::testing::take_response;

/// Returns a body of parts in plain memory and in files, where some parts use only a range of them.
inline bytes::shared_body parted_body() {
  const bytes::shared_body file{std::string(100'000, 'f') + std::string(3 << 20, 'g')}, plain{"a plain part"};
  bytes::body_writer body;
  const auto add_range = [&](const bytes::shared_body& source, std::size_t at, std::size_t size) {
    body.append({source.parts().front().memory, at, size});
  };
  add_range(plain, 2, 5);
  add_range(file, 99'990, 20);
  body.append("its own");
  add_range(plain, 8, 4);
  add_range(file, 100'000, 3 << 20);
  add_range(file, 0, 50'000);
  add_range(plain, 0, 1);
  return body.finish();
}

/// Returns a few routes that echo their requests or fail.
inline router test_routes() {
  const check needs_key = [](request& req) {
    if (req.header("X-Key") != "open") throw unauthorized("Missing key");
    req.context = std::string("caller");
  };
  const immediate_handler echo = [](request& req) {
    response result = json(200, req.body);
    for (const auto& parameter : req.parameters) result.fields.emplace_back("X-Parameter", parameter);
    result.fields.emplace_back("X-Query", std::string(req.query));
    result.fields.emplace_back("X-Remote", std::string(req.remote_address));
    return result;
  };
  const immediate_handler hello = [](request&) { return json(200, R"("hello")"); };

  router routes;
  routes.mount(
      "", {{"GET", "/hello", body_policy::none, {}, hello},
           {"POST", "/echo", body_policy::json, {}, echo},
           {"POST", "/form", body_policy::form, {}, echo},
           {"POST", "/any", body_policy::none, {}, echo},
           {"GET", "/units/{id}", body_policy::none, {}, echo},
           {"POST", "/guarded", body_policy::json, {needs_key}, echo},
           {"GET", "/empty", body_policy::none, {}, immediate_handler([](request&) { return empty(204); })},
           {"GET", "/throws", body_policy::none, {}, immediate_handler([](request&) -> response {
              throw std::runtime_error("the tenant's secret");
            })},
           {"GET", "/injects", body_policy::none, {}, immediate_handler([](request&) {
              response result = json(200, "{}");
              result.fields.emplace_back("X-Bad", "a\r\nX-Injected: b");
              return result;
            })},
           {"GET", "/waits", body_policy::none, {}, handler([](request&) -> asio::awaitable<response> {
              asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::milliseconds(300));
              co_await timer.async_wait(asio::use_awaitable);
              co_return json(200, R"("waited")");
            })},
           {"GET", "/throws-later", body_policy::none, {}, handler([](request&) -> asio::awaitable<response> {
              throw std::runtime_error("the tenant's secret");
              co_return json(200, "");
            })}});
  auto big = std::make_shared<const bytes::prebuilt>(200, "text/plain",
                                                     bytes::shared_body{std::string(32 << 20, 'b')});
  auto parted = std::make_shared<const bytes::prebuilt>(200, "text/plain", parted_body());
  const auto serves = [](std::shared_ptr<const bytes::prebuilt> file) {
    return immediate_handler([file](request&) {
      response result;
      result.shared = file;
      return result;
    });
  };
  routes.mount("/files", {{"GET", "/big", body_policy::none, {}, serves(big)},
                          {"GET", "/parted", body_policy::none, {}, serves(parted)}});
  return routes;
}

/// A server on a free port with its own threads.
class running_server {
public:
  explicit running_server(settings options = {}, router routes = test_routes(), std::size_t threads = 1)
      : contexts_(threads) {
    log::set_level(log::level::off);
    options.listen = "127.0.0.1:0";
    std::vector<std::reference_wrapper<asio::io_context>> references(contexts_.begin(), contexts_.end());
    server_ =
        std::make_unique<server>(std::move(options), std::move(routes), metrics_, std::move(references));
    server_->start();
    port_ = server_->port();
    for (auto& context : contexts_)
      threads_.emplace_back([&context] {
        const auto work = asio::make_work_guard(context);
        context.run();
      });
  }

  ~running_server() {
    server_.reset();
    for (auto& context : contexts_) context.stop();
    for (auto& thread : threads_) thread.join();
  }

  std::uint16_t port() const { return port_; }
  metrics::registry& metrics() { return metrics_; }
  void stop_accepting() { server_->stop_accepting(); }

  /// Waits until a gauge of this listener has a value. Returns false on timeout.
  bool eventually(const std::string& gauge, int value) {
    const auto sample = gauge + "{listener=\"public\"} " + std::to_string(value) + "\n";
    return roost::testing::eventually([&] { return metrics_.scrape().find(sample) != std::string::npos; });
  }

  std::future<bool> finish_writes(std::chrono::milliseconds timeout) {
    return asio::co_spawn(contexts_.front(), server_->finish_writes(timeout), asio::use_future);
  }

  std::future<bool> drain(std::chrono::milliseconds timeout) {
    return asio::co_spawn(contexts_.front(), server_->drain(timeout), asio::use_future);
  }

private:
  metrics::registry metrics_;
  std::deque<asio::io_context> contexts_;
  std::unique_ptr<server> server_;
  std::uint16_t port_ = 0;
  std::vector<std::thread> threads_;
};

} // namespace roost::http::testing
