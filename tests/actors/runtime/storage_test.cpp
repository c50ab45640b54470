#include "actors/runtime/storage.hpp"
#include "store/database/error.hpp"
#include "support/store.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <thread>
#include <utility>

namespace roost::testing::storage_test {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// A pool over a real store, with a job that starts immediately and lasts until release().
class StoragePool : public on_each_store {
protected:
  void SetUp() override { pool_.emplace(runtime_, store().url(), 2, registry_); }

  void TearDown() override {
    release();
    pool_.reset();
    runtime_.close_ports();
  }

  void start_job() {
    send_job_to(pool_->at(actors::storage_pool::lane::decisions));
    started_.get_future().wait();
  }

  void release() {
    if (!std::exchange(released_, true)) may_end_.set_value();
  }

  actors::storage_pool& pool() { return *pool_; }
  actors::runtime& rt() { return runtime_; }
  std::atomic<bool> is_done = false;

private:
  void send_job_to(const actors::storage_actor& worker) {
    actors::storage_job job{"test", actors::deadline::in(1h), {}};
    job.work = [this](store::session&) -> std::any {
      started_.set_value();
      may_end_.get_future().wait();
      is_done = true;
      return {};
    };
    caf::anon_send(worker, std::move(job));
  }

  metrics::registry registry_;
  std::promise<void> started_, may_end_;
  bool released_ = false;
  actors::runtime runtime_{actors::scheduler_knobs{}};
  std::optional<actors::storage_pool> pool_;
};

ROOST_ON_EACH_STORE(StoragePool);

TEST_P(StoragePool, HasFinishedItsJobsWhenItHasStopped) {
  start_job();
  auto stopped = std::async(std::launch::async, [this] { pool().stop_and_wait(rt(), 1h); });
  EXPECT_EQ(stopped.wait_for(50ms), std::future_status::timeout);
  EXPECT_FALSE(is_done);
  release();
  stopped.get();
  EXPECT_TRUE(is_done);
}

TEST_P(StoragePool, WaitsAtMostTheLimitForAHangingJob) {
  start_job();
  const auto started = clock::now();
  pool().stop_and_wait(rt(), 100ms);
  EXPECT_GE(clock::now() - started, 100ms);
  EXPECT_FALSE(is_done);
}

TEST_P(StoragePool, FailsJobsThatArrivedWhileAnotherWaitedInVainForTheStore) {
  const auto& worker = pool().at(actors::storage_pool::lane::decisions);
  const auto job = [](std::function<std::any(store::session&)> work) {
    return actors::storage_job{.kind = "test", .deadline = {}, .work = std::move(work)};
  };
  caf::scoped_actor self{rt().system()};
  const auto ask = [&](actors::storage_job request) {
    return self->request(worker, caf::infinite, std::move(request));
  };
  const auto is_unavailable = [](const caf::error& error) {
    EXPECT_EQ(actors::storage_error_of(error), actors::storage_error::unavailable);
  };
  bool has_started = false, has_responded = false, has_ended = false;
  auto vain = ask(job([](store::session&) -> std::any {
    std::this_thread::sleep_for(1100ms); // like a connection that is never established
    throw store::unavailable("away");
  }));
  auto behind = ask(job([&](store::session&) -> std::any { return has_started = true; }));
  auto last = job([&](store::session&) -> std::any { return has_ended = true; });
  last.needs_store = false;
  auto end = ask(std::move(last));
  vain.receive([](const actors::storage_result&) { ADD_FAILURE(); }, is_unavailable);
  behind.receive([](const actors::storage_result&) { ADD_FAILURE(); }, is_unavailable);
  end.receive([](const actors::storage_result&) {}, [](const caf::error&) { ADD_FAILURE(); });
  EXPECT_FALSE(has_started);
  EXPECT_TRUE(has_ended);
  ask(job([&](store::session&) -> std::any {
    return has_responded = true;
  })).receive([](const actors::storage_result&) {}, [](const caf::error&) { ADD_FAILURE(); });
  EXPECT_TRUE(has_responded) << "later jobs try again";
}

TEST_P(StoragePool, StopsOnlyOnce) {
  pool().stop_and_wait(rt(), 1h);
  pool().stop_and_wait(rt(), 1h);
}

} // namespace roost::testing::storage_test
