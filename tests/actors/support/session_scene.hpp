#pragma once

#include "actors/runtime/ask.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "store/support/sign_in_scene.hpp"
#include "support/metric_value.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>

#include <any>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace roost::testing {

/// A runtime with its own store session, in addition to the scene's.
class session_scene : public sign_in_scene {
protected:
  void SetUp() override {
    sign_in_scene::SetUp();
    held->hold(lease, actors::held_lease::clock::now() + std::chrono::hours{1});
  }

  void TearDown() override {
    release_storage();
    runtime.close_ports();
    for (auto* each : {&pool_, &missing_})
      if (*each) (*each)->stop();
  }

  actors::storage_actor storage() { return opened_pool().at(actors::storage_pool::side_lane::management); }

  /// Returns a worker whose store does not exist.
  actors::storage_actor missing_storage() {
    missing_.emplace(runtime,
                     GetParam() == store_kind::sqlite ? "sqlite3:///dev/null/roost.db"
                                                      : "postgresql://unknown@127.0.0.1:1/missing",
                     1, registry);
    return missing_->at(actors::storage_pool::side_lane::management);
  }

  /// Makes storage jobs wait until release_storage().
  void hold_storage() {
    std::promise<void> opened;
    auto open = opened.get_future().share();
    release_.emplace(std::move(opened));
    caf::anon_send(storage(), actors::storage_job{"test_hold", {}, [open](store::session&) -> std::any {
                                                    open.wait();
                                                    return {};
                                                  }});
  }
  void release_storage() {
    if (release_) release_->set_value();
    release_.reset();
  }

  /// Returns once the storage has done all jobs that were sent before.
  void wait_for_jobs() {
    response_of<actors::storage_result>(
        storage(), actors::storage_job{"test_wait", {}, [](store::session&) { return std::any{}; }});
  }

  /// Returns the response or error to a request.
  template <typename Response, typename Handle>
  static std::pair<Response, caf::error> receive(Handle handle) {
    std::pair<Response, caf::error> result;
    handle.receive([&](Response& response) { result.first = std::move(response); },
                   [&](caf::error& error) { result.second = std::move(error); });
    return result;
  }
  template <typename Response, typename Actor, typename Message>
  std::pair<Response, caf::error> ask(const Actor& actor, Message message) {
    return receive<Response>(self->request(actor, caf::infinite, std::move(message)));
  }
  template <typename Response, typename Actor, typename Message>
  Response response_of(const Actor& actor, Message message) {
    auto [response, error] = ask<Response>(actor, std::move(message));
    EXPECT_FALSE(error) << "there was no response";
    return std::move(response);
  }

  /// Starts a handler's call on an I/O thread.
  template <typename Result>
  std::future<Result> start(actors::asio::awaitable<Result> call) {
    return actors::asio::co_spawn(runtime.io_contexts()[0].get(), std::move(call), actors::asio::use_future);
  }
  template <typename Result>
  Result result_of(actors::asio::awaitable<Result> call) {
    return start(std::move(call)).get();
  }
  /// Returns the reason of the ask_error that the call throws.
  template <typename Result>
  caf::error error_of(actors::asio::awaitable<Result> call) {
    try {
      result_of(std::move(call));
    } catch (const actors::ask_error& error) {
      return error.reason();
    }
    throw std::logic_error("the call did not fail");
  }

  /// Returns the value of a sample of the metrics; 0 if there is none.
  unsigned long counted(const std::string& sample) {
    return static_cast<unsigned long>(metric_value(registry.scrape(), sample));
  }

  actors::wall_clock clock() {
    return [this] {
      if (clock_breaks) throw std::runtime_error("the clock broke");
      return now.load();
    };
  }

  actors::time_check time_check() {
    return [this](store::session&, domain::timestamp) { return is_time_trusted.load(); };
  }

  actors::time_check clock_check() {
    return [this](store::session&, domain::timestamp) { return is_clock_behind.load(); };
  }

  /// Waits for the first actor that ends with an error; returns its name and the error.
  std::string first_failure() {
    auto failure = failed_.get_future();
    return failure.wait_for(std::chrono::seconds{30}) == std::future_status::ready ? failure.get()
                                                                                   : "nothing";
  }

  std::shared_ptr<actors::held_lease> held = std::make_shared<actors::held_lease>();
  std::atomic<domain::timestamp> now{noon};
  std::atomic<bool> clock_breaks = false;
  std::atomic<bool> is_time_trusted = true;
  std::atomic<bool> is_clock_behind = false;
  metrics::registry registry;
  actors::runtime runtime{actors::scheduler_knobs{}, [this](std::string_view actor, std::string_view error) {
                            failed_.set_value(std::string(actor) + ": " + std::string(error));
                          }};
  caf::scoped_actor self{runtime.system()};

private:
  actors::storage_pool& opened_pool() {
    if (!pool_) pool_.emplace(runtime, store().url(), 1, registry);
    return *pool_;
  }

  std::promise<std::string> failed_;
  std::optional<std::promise<void>> release_;
  std::optional<actors::storage_pool> pool_, missing_;
};

} // namespace roost::testing
