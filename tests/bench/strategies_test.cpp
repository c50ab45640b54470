#include "bench/contention/figures.hpp"
#include "bench/contention/lab_service.hpp"
#include "bench/contention/store_setup.hpp"
#include "bench/contention/strategies.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace roost::contention::strategies_test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t request_count = 300;

/// Few units, one of them hot, so that clients compete.
workload_options contended_workload() {
  workload_options options;
  options.units = 5;
  options.hot_share = 0.6;
  return options;
}

/// Ends after this number of requests; the duration only ends a stuck load.
load_options load_of(std::uint64_t requests) {
  load_options options;
  options.clients = 6;
  options.warm_up = 0ms;
  options.duration = 60s;
  options.max_requests = requests;
  return options;
}

/// A strategy in its own store.
struct trial {
  const testing::test_store& store;
  depth level = depth::bare;
  const peer_recipe* recipe = nullptr; ///< null: the actors
  guard overlap_guard = recipe ? recipe->overlap_guard : guard::none;
  std::uint64_t requests = request_count;
  std::function<void()> on_measuring = [] {};
};

struct trial_result {
  load_result load;
  contention::verdict verdict;
};

trial_result run(const trial& trial) {
  auto db = trial.store.open();
  prepare_portfolio(db, contended_workload().units);
  lab_service service(trial.store.url());
  prepare_tables(db, trial.level, trial.overlap_guard);
  if (trial.recipe) prepare_peer_tables(db, trial.level, contended_workload().units);
  if (trial.level == depth::whole)
    prepare_requests(db, service.lease(), contended_workload(), trial.requests);
  const auto strategy =
      trial.recipe ? make_peer_strategy(*trial.recipe, trial.level, trial.store.url(), service.directory())
                   : make_actor_strategy(service, trial.level);
  workload requests(contended_workload());
  const auto options = load_of(trial.requests);
  const std::atomic<bool> stop = false;
  trial_result result;
  result.load = run_load(*strategy, requests, options, stop, {}, trial.on_measuring);
  auto after = trial.store.open(); // the first session may have been cut
  result.verdict = verify(result.load.operations, read_stays(after, trial.level));
  return result;
}

void expect_correct(const verdict& verdict) {
  EXPECT_TRUE(verdict.is_correct()) << (verdict.shortest ? to_text(*verdict.shortest) : "");
  EXPECT_EQ(verdict.failed, 0u);
  EXPECT_GT(verdict.booked, 0u);
  EXPECT_GT(verdict.refused, 0u);
}

void expect_all_decided(const verdict& verdict) {
  expect_correct(verdict);
  EXPECT_EQ(verdict.booked + verdict.refused, request_count);
}

class ActorStrategy : public testing::on_each_store {};

TEST_P(ActorStrategy, DecidesBareReservationsCorrectly) { expect_all_decided(run({store()}).verdict); }

TEST_P(ActorStrategy, DecidesCorrectlyWithTheSecondGuard) {
  expect_all_decided(run({store(), depth::bare, nullptr, guard::exclusion}).verdict);
}

TEST_P(ActorStrategy, DecidesWholeBookingsCorrectly) {
  expect_all_decided(run({store(), depth::whole, nullptr, guard::exclusion}).verdict);
}

TEST_P(ActorStrategy, ReportsEveryDecision) {
  const auto result = run({store()});
  const auto json = to_json(result.load, load_of(request_count), result.verdict);
  EXPECT_NE(json.find("\"operations\":300"), std::string::npos) << json;
  EXPECT_NE(json.find("\"cut_short\":true"), std::string::npos);
}

ROOST_ON_EACH_STORE(ActorStrategy);

class PeerStrategies : public testing::on_each_store {};

void expect_each_decides_all(testing::store_kind kind, depth level) {
  for (const auto& each : peer_recipes()) {
    if (std::string_view(each.name) == "unlocked") continue;
    SCOPED_TRACE(each.name);
    const testing::test_store own(kind);
    expect_all_decided(run({own, level, &each}).verdict);
  }
}

TEST_P(PeerStrategies, DecideBareReservationsCorrectly) { expect_each_decides_all(GetParam(), depth::bare); }

TEST_P(PeerStrategies, DecideWholeBookingsCorrectly) { expect_each_decides_all(GetParam(), depth::whole); }

TEST_P(PeerStrategies, CountAttemptsLostToEachOther) {
  const auto result = run({store(), depth::bare, find_recipe("optimistic")});
  EXPECT_EQ(result.load.totals.retries, result.load.totals.conflicts + result.load.totals.deadlocks);
}

TEST_P(PeerStrategies, StayCorrectWhenConnectionsAreCut) {
  for (const auto* name : {"actors", "on_conflict", "row_lock"})
    for (const auto level : {depth::bare, depth::whole}) {
      SCOPED_TRACE(std::string(name) + (level == depth::bare ? ", bare" : ", whole"));
      const testing::test_store own(GetParam());
      trial trial{own, level, find_recipe(name)};
      trial.requests = 2'000;
      trial.on_measuring = [&own] { own.cut_connections(); };
      const auto verdict = run(trial).verdict;
      expect_correct(verdict);
      EXPECT_EQ(verdict.operations, trial.requests);
    }
}

ROOST_ON_POSTGRESQL(PeerStrategies);

TEST(PeerRecipes, AreFoundByName) {
  EXPECT_EQ(peer_recipes().size(), 7u);
  for (const auto& each : peer_recipes()) EXPECT_EQ(find_recipe(each.name), &each);
  EXPECT_EQ(find_recipe("actors"), nullptr);
}

} // namespace
} // namespace roost::contention::strategies_test
