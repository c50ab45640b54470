#pragma once

#include "actors/runtime/ask.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "store/support/sign_in_scene.hpp"

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

/// A runtime with a store session of its own, beside the scene's.
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

  /// A store that is not there.
  actors::storage_actor missing_storage() {
    missing_.emplace(runtime,
                     GetParam() == store_kind::sqlite ? "sqlite3:///dev/null/roost.db"
                                                      : "postgresql://nobody@127.0.0.1:1/nothing",
                     1, registry);
    return missing_->at(actors::storage_pool::side_lane::management);
  }

  /// Storage jobs wait until release_storage().
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
    answer_of<actors::storage_result>(
        storage(), actors::storage_job{"test_wait", {}, [](store::session&) { return std::any{}; }});
  }

  /// The answer to a request, or the error instead of one.
  template <typename Answer, typename Handle>
  static std::pair<Answer, caf::error> receive(Handle handle) {
    std::pair<Answer, caf::error> got;
    handle.receive([&](Answer& answer) { got.first = std::move(answer); },
                   [&](caf::error& why) { got.second = std::move(why); });
    return got;
  }
  template <typename Answer, typename Actor, typename Message>
  std::pair<Answer, caf::error> ask(const Actor& actor, Message message) {
    return receive<Answer>(self->request(actor, caf::infinite, std::move(message)));
  }
  template <typename Answer, typename Actor, typename Message>
  Answer answer_of(const Actor& actor, Message message) {
    auto [answer, why] = ask<Answer>(actor, std::move(message));
    EXPECT_FALSE(why) << "there was no answer";
    return std::move(answer);
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
  /// The reason of the ask_error that the call throws.
  template <typename Result>
  caf::error error_of(actors::asio::awaitable<Result> call) {
    try {
      result_of(std::move(call));
    } catch (const actors::ask_error& error) {
      return error.reason();
    }
    throw std::logic_error("the call did not fail");
  }

  /// A sample of the metrics; 0 where there is none.
  unsigned long counted(const std::string& sample) {
    const auto text = registry.scrape();
    const auto at = text.find("\n" + sample + " ");
    return at == std::string::npos ? 0 : std::stoul(text.substr(at + sample.size() + 2));
  }

  actors::wall_clock clock() {
    return [this] {
      if (clock_breaks) throw std::runtime_error("the clock broke");
      return now.load();
    };
  }

  std::string first_failure() {
    auto told = failed_.get_future();
    return told.wait_for(std::chrono::seconds{30}) == std::future_status::ready ? told.get() : "nothing";
  }

  std::shared_ptr<actors::held_lease> held = std::make_shared<actors::held_lease>();
  std::atomic<domain::timestamp> now{noon};
  std::atomic<bool> clock_breaks = false;
  metrics::registry registry;
  actors::runtime runtime{actors::scheduler_knobs{}, [this](std::string_view actor, std::string_view why) {
                            failed_.set_value(std::string(actor) + ": " + std::string(why));
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
