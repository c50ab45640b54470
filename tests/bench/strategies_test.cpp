#include "bench/contention/actor_strategy.hpp"
#include "bench/contention/figures.hpp"
#include "bench/contention/peer_strategy.hpp"
#include "bench/contention/scene.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace roost::contention::strategies_test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t request_count = 300;

/// A hot unit among few, so that clients meet.
workload_options crowded() {
  workload_options options;
  options.units = 5;
  options.hot_share = 0.6;
  return options;
}

/// Ends by the number of its requests; the time is only so that a stuck one ends.
load_options load_of(std::uint64_t requests) {
  load_options options;
  options.clients = 6;
  options.warm_up = 0ms;
  options.duration = 60s;
  options.most = requests;
  return options;
}

/// A strategy in a store of its own. Null for the actors.
struct trial {
  const testing::test_store& store;
  depth how_much = depth::bare;
  const recipe* how = nullptr;
  guard kept_apart = how ? how->kept_apart : guard::none;
  std::uint64_t requests = request_count;
  std::function<void()> once_it_runs = [] {};
};

struct outcome_of_trial {
  load_result load;
  verdict judged;
};

outcome_of_trial run(const trial& of) {
  auto db = of.store.open();
  prepare_portfolio(db, crowded().units);
  service_world world(of.store.url());
  prepare_tables(db, of.how_much, of.kept_apart);
  if (of.how) prepare_for_peer(db, of.how_much, crowded().units);
  if (of.how_much == depth::whole) prepare_requests(db, world.lease(), crowded(), of.requests);
  const auto by = of.how ? make_peer_strategy(*of.how, of.how_much, of.store.url(), world.directory())
                         : make_actor_strategy(world, of.how_much);
  workload requests(crowded());
  const auto options = load_of(of.requests);
  const std::atomic<bool> stop = false;
  outcome_of_trial done;
  done.load = run_load(*by, requests, options, stop, {}, of.once_it_runs);
  auto after = of.store.open(); // the first session may have been cut off
  done.judged = judge(done.load.operations, read_stays(after, of.how_much));
  return done;
}

void expect_right(const verdict& judged) {
  EXPECT_TRUE(judged.is_right()) << (judged.shortest ? to_text(*judged.shortest) : "");
  EXPECT_EQ(judged.failed, 0u);
  EXPECT_GT(judged.booked, 0u);
  EXPECT_GT(judged.refused, 0u);
}

void expect_all_decided(const verdict& judged) {
  expect_right(judged);
  EXPECT_EQ(judged.booked + judged.refused, request_count);
}

class ActorStrategy : public testing::on_each_store {};

TEST_P(ActorStrategy, DecidesBareReservationsRightly) { expect_all_decided(run({store()}).judged); }

TEST_P(ActorStrategy, DecidesRightlyWithTheSecondGuard) {
  expect_all_decided(run({store(), depth::bare, nullptr, guard::exclusion}).judged);
}

TEST_P(ActorStrategy, DecidesWholeBookingsRightly) {
  expect_all_decided(run({store(), depth::whole, nullptr, guard::exclusion}).judged);
}

TEST_P(ActorStrategy, HasFiguresOfEveryDecision) {
  const auto done = run({store()});
  const auto json = to_json(done.load, load_of(request_count), done.judged);
  EXPECT_NE(json.find("\"operations\":300"), std::string::npos) << json;
  EXPECT_NE(json.find("\"cut_short\":true"), std::string::npos);
}

ROOST_ON_EACH_STORE(ActorStrategy);

class Strategies : public testing::on_each_store {};

void expect_each_decides_all(testing::store_kind kind, depth how_much) {
  for (const auto& each : recipes()) {
    if (std::string_view(each.name) == "unlocked") continue;
    SCOPED_TRACE(each.name);
    const testing::test_store own(kind);
    expect_all_decided(run({own, how_much, &each}).judged);
  }
}

TEST_P(Strategies, ThatAreRightAreJudgedSoOnBareReservations) {
  expect_each_decides_all(GetParam(), depth::bare);
}

TEST_P(Strategies, ThatAreRightAreJudgedSoOnWholeBookings) {
  expect_each_decides_all(GetParam(), depth::whole);
}

TEST_P(Strategies, CountWhatTheyLoseToEachOther) {
  const auto done = run({store(), depth::bare, find_recipe("optimistic")});
  EXPECT_EQ(done.load.all.retries, done.load.all.conflicts + done.load.all.deadlocks);
}

TEST_P(Strategies, AreRightWhenConnectionsAreCutUnderThem) {
  for (const auto* name : {"actors", "on_conflict", "row_lock"})
    for (const auto how_much : {depth::bare, depth::whole}) {
      SCOPED_TRACE(std::string(name) + (how_much == depth::bare ? ", bare" : ", whole"));
      const testing::test_store own(GetParam());
      trial of{own, how_much, find_recipe(name)};
      of.requests = 2'000;
      of.once_it_runs = [&own] { own.cut_connections(); };
      const auto judged = run(of).judged;
      expect_right(judged);
      EXPECT_EQ(judged.operations, of.requests);
    }
}

ROOST_ON_POSTGRESQL(Strategies);

TEST(Recipes, AreFoundByTheirNames) {
  EXPECT_EQ(recipes().size(), 7u);
  for (const auto& each : recipes()) EXPECT_EQ(find_recipe(each.name), &each);
  EXPECT_EQ(find_recipe("actors"), nullptr);
}

} // namespace
} // namespace roost::contention::strategies_test
