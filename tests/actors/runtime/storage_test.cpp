#include "actors/runtime/storage.hpp"
#include "support/store.hpp"

#include <caf/send.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <utility>

namespace roost::testing::storage_test {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// A pool over a real store, with a job that begins at once and lasts until a test says so.
class StoragePool : public on_each_store {
protected:
  void SetUp() override { pool_.emplace(runtime_, store().url(), 2, registry_); }

  void TearDown() override {
    release();
    pool_.reset();
    runtime_.close_ports();
  }

  void begin_a_job() {
    send_job_to(pool_->at(actors::storage_pool::lane::decisions));
    begun_.get_future().wait();
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
      begun_.set_value();
      may_end_.get_future().wait();
      is_done = true;
      return {};
    };
    caf::anon_send(worker, std::move(job));
  }

  metrics::registry registry_;
  std::promise<void> begun_, may_end_;
  bool released_ = false;
  actors::runtime runtime_{actors::scheduler_knobs{}};
  std::optional<actors::storage_pool> pool_;
};

ROOST_ON_EACH_STORE(StoragePool);

TEST_P(StoragePool, HasDoneItsWorkWhenItsStopReturns) {
  begin_a_job();
  auto stopped = std::async(std::launch::async, [this] { pool().stop_and_wait(rt(), 1h); });
  EXPECT_EQ(stopped.wait_for(50ms), std::future_status::timeout);
  EXPECT_FALSE(is_done);
  release();
  stopped.get();
  EXPECT_TRUE(is_done);
}

TEST_P(StoragePool, WaitsNoLongerThanTheLimitForAJobThatHangs) {
  begin_a_job();
  const auto began = clock::now();
  pool().stop_and_wait(rt(), 100ms);
  EXPECT_GE(clock::now() - began, 100ms);
  EXPECT_FALSE(is_done);
}

TEST_P(StoragePool, StopsOnlyOnce) {
  pool().stop_and_wait(rt(), 1h);
  pool().stop_and_wait(rt(), 1h);
}

} // namespace roost::testing::storage_test
