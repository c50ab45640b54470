#include "actors/runtime/storage.hpp"
#include "store/database/error.hpp"
#include "support/store.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/sec.hpp>
#include <caf/send.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <any>
#include <atomic>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roost::testing::storage_test {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
using ::testing::ElementsAre;

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

  void restart(std::chrono::milliseconds give_up_after) {
    pool_.emplace(runtime_, store().url(), 2, registry_, give_up_after);
  }

  /// Lets a job fail as unavailable once two others have arrived, one of them independent of the store, and
  /// then sends a third. Returns the names of those that ran.
  std::vector<std::string> run_behind_a_failing_job() {
    std::vector<std::string> ran;
    caf::scoped_actor self{runtime_.system()};
    const auto send = [&](std::function<std::any(store::session&)> work, bool needs_store = true) {
      actors::storage_job job{"test", {}, std::move(work)};
      job.needs_store = needs_store;
      return self->request(pool().at(actors::storage_pool::lane::decisions), caf::infinite, std::move(job));
    };
    const auto named = [&ran](const char* name) {
      return [&ran, name](store::session&) -> std::any { return ran.emplace_back(name), 0; };
    };
    const auto finish = [](auto pending) {
      pending.receive([](const actors::storage_result&) {},
                      [](const caf::error& error) {
                        EXPECT_EQ(actors::storage_error_of(error), actors::storage_error::unavailable);
                      });
    };
    std::promise<void> others_sent;
    auto failing = send([&](store::session&) -> std::any {
      others_sent.get_future().wait();
      throw store::unavailable("away");
    });
    auto behind = send(named("behind")), independent = send(named("independent"), false);
    others_sent.set_value();
    for (auto* pending : {&failing, &behind, &independent}) finish(std::move(*pending));
    finish(send(named("later")));
    return ran;
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
  caf::scoped_actor self{rt().system()};
  self->monitor(pool().at(actors::storage_pool::lane::acknowledgements));
  auto was_done = std::async(std::launch::async, [this] {
    pool().stop_and_wait(rt(), 1h);
    return is_done.load();
  });
  self->receive([](const caf::down_msg&) {}); // the idle actor has ended, so the pool is stopping
  EXPECT_FALSE(is_done);
  release();
  EXPECT_TRUE(was_done.get());
}

TEST_P(StoragePool, WaitsAtMostTheLimitForAHangingJob) {
  start_job();
  const auto started = clock::now();
  pool().stop_and_wait(rt(), 100ms);
  EXPECT_GE(clock::now() - started, 100ms);
  EXPECT_FALSE(is_done);
}

TEST_P(StoragePool, FailsJobsThatArrivedWhileAnotherWaitedInVainForTheStore) {
  restart(0ms);
  EXPECT_THAT(run_behind_a_failing_job(), ElementsAre("independent", "later"));
}

TEST_P(StoragePool, RunsJobsThatArrivedBeforeAnotherFailedQuickly) {
  restart(1h);
  EXPECT_THAT(run_behind_a_failing_job(), ElementsAre("behind", "independent", "later"));
}

TEST(StorageError, IsUnavailableForReasonsThatAreNotTheStores) {
  using actors::storage_error;
  EXPECT_EQ(actors::storage_error_of({}), storage_error::unavailable) << "an ask without a response";
  EXPECT_EQ(actors::storage_error_of(caf::sec::request_receiver_down), storage_error::unavailable);
  for (const auto own : {storage_error::failed, storage_error::invalid_value, storage_error::conflicting_row})
    EXPECT_EQ(actors::storage_error_of(make_error(own)), own);
}

TEST_P(StoragePool, StopsOnlyOnce) {
  pool().stop_and_wait(rt(), 1h);
  pool().stop_and_wait(rt(), 1h);
}

} // namespace roost::testing::storage_test
