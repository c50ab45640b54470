#include "actors/runtime/in_store.hpp"
#include "support/eventually.hpp"
#include "support/store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>

namespace roost::testing::in_store_test {

using namespace std::chrono_literals;
using actors::ask_failure;
using actors::in_store;
using actors::storage_error;

/// A handler's I/O thread and one lane over a real store.
class InStore : public on_each_store {
protected:
  void SetUp() override {
    actors::scheduler_knobs knobs;
    knobs.ask_time_limit = 100ms;
    runtime.emplace(knobs);
    pool.emplace(*runtime, store().url(), 1, registry);
  }
  void TearDown() override {
    runtime->close_ports();
    pool->stop();
  }

  actors::storage_actor lane() const { return pool->at(actors::storage_pool::side_lane::management); }
  actors::leased_lane leased() const { return {lane(), held}; }

  template <typename Result>
  std::future<Result> start(actors::asio::awaitable<Result> call) {
    return actors::asio::co_spawn(runtime->io_contexts()[0].get(), std::move(call), actors::asio::use_future);
  }
  template <typename Result>
  Result result_of(actors::asio::awaitable<Result> call) {
    return start(std::move(call)).get();
  }
  template <typename Result>
  std::pair<ask_failure, caf::error> error_of(actors::asio::awaitable<Result> call) {
    try {
      result_of(std::move(call));
    } catch (const actors::ask_error& error) {
      return {error.kind(), error.reason()};
    }
    throw std::logic_error("the call did not fail");
  }

  metrics::registry registry;
  std::optional<actors::runtime> runtime;
  std::optional<actors::storage_pool> pool;
  std::shared_ptr<actors::held_lease> held = std::make_shared<actors::held_lease>();
};
ROOST_ON_EACH_STORE(InStore);

TEST_P(InStore, ReturnsWhatTheWorkReturns) {
  const std::string text(100, 'x'); // longer than what a string keeps in itself
  EXPECT_EQ(result_of(in_store(lane(), "test", [text](store::session&) { return std::string{text}; })), text);
}

TEST_P(InStore, RunsTheWorkOffTheIoThreadAndReturnsOnIt) {
  auto handler = [](actors::storage_actor lane) -> actors::asio::awaitable<bool> {
    const auto here = std::this_thread::get_id();
    auto work = [](store::session&) { return std::this_thread::get_id(); };
    const auto there = co_await in_store(lane, "test", work);
    co_return there != here&& std::this_thread::get_id() == here;
  };
  EXPECT_TRUE(result_of(handler(lane())));
}

TEST_P(InStore, TakesWorkWithoutAResult) {
  std::atomic<bool> is_done = false;
  result_of(in_store(lane(), "test", [&](store::session&) { is_done = true; }));
  EXPECT_TRUE(is_done);
}

TEST_P(InStore, ThrowsWhatTheStoreRefusedWith) {
  const auto [kind, reason] =
      error_of(in_store(lane(), "test", [](store::session&) -> int { throw store::already_decided{}; }));
  EXPECT_EQ(kind, ask_failure::refused);
  EXPECT_EQ(reason, make_error(storage_error::already_decided));
}

TEST_P(InStore, DistinguishesATextThatNoColumnAccepts) {
  const auto [kind, reason] = error_of(in_store(lane(), "test", [](store::session&) -> int {
    throw store::constraint_violated(store::violation::invalid_value, "text_without_nul");
  }));
  EXPECT_EQ(kind, ask_failure::refused);
  EXPECT_EQ(reason, make_error(storage_error::invalid_value));
}

TEST_P(InStore, HandsTheHeldLeaseToAWrite) {
  held->hold({"me", 7}, actors::held_lease::clock::now() + 1h);
  const auto epoch = result_of(
      in_store(leased(), "test", [](store::session&, const store::lease& lease) { return lease.epoch; }));
  EXPECT_EQ(epoch, 7);
}

TEST_P(InStore, RefusesAWriteWithoutTheLease) {
  std::atomic<bool> is_done = false;
  const auto [kind, reason] =
      error_of(in_store(leased(), "test", [&](store::session&, const store::lease&) { is_done = true; }));
  EXPECT_EQ(kind, ask_failure::refused);
  EXPECT_EQ(reason, make_error(storage_error::lease_lost));
  EXPECT_FALSE(is_done);
}

TEST_P(InStore, DoesNotKeepTheStorageActorAliveAndFailsOnceItHasEnded) {
  const actors::storage_lane kept{lane()};
  pool->stop();
  EXPECT_TRUE(eventually([&] { return !kept.actor(); }));
  const auto [kind, reason] = error_of(in_store(kept, "test", [](store::session&) {}));
  EXPECT_EQ(kind, ask_failure::receiver_down);
}

TEST_P(InStore, EndsWorkWhoseCallerStoppedWaitingAndBeginsNoMore) {
  std::promise<void> may_end;
  std::atomic<int> done = 0;
  auto first = start(in_store(lane(), "test", [&](store::session&) {
    may_end.get_future().wait();
    ++done;
  }));
  auto second = start(in_store(lane(), "test", [&](store::session&) { done += 10; }));
  for (auto* each : {&first, &second}) EXPECT_THROW(each->get(), actors::ask_error);
  may_end.set_value();
  result_of(in_store(lane(), "test", [](store::session&) {})); // in the same lane
  EXPECT_EQ(done, 1);
}

} // namespace roost::testing::in_store_test
