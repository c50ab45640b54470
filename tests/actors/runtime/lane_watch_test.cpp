#include "actors/runtime/lane_watch.hpp"
#include "support/store.hpp"
#include "temporary_folder.hpp"

#include <caf/send.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

namespace roost::testing::lane_watch_test {

using namespace std::chrono_literals;

/// The lanes of a pool under a watch that looks often.
struct watched_pool {
  explicit watched_pool(const std::string& url) : pool(std::in_place, rt, url, 2, registry) {
    actors::lane_watch_settings settings{pool->watched_lanes(), [this] { return may_connect.load(); }};
    settings.interval = 5ms;
    for (const auto& lane : settings.lanes) health.push_back(lane.health);
    watch = actors::spawn_lane_watch(rt, std::move(settings));
  }
  ~watched_pool() {
    caf::anon_send_exit(watch, caf::exit_reason::user_shutdown);
    watch = nullptr;
    pool.reset();
    rt.close_ports();
  }
  watched_pool(const watched_pool&) = delete;
  watched_pool& operator=(const watched_pool&) = delete;

  template <typename Condition>
  bool eventually_all(Condition holds) const {
    for (int tries = 0; tries < 2'000; ++tries, std::this_thread::sleep_for(5ms))
      if (std::ranges::all_of(health, [&](const auto& lane) { return holds(*lane); })) return true;
    return false;
  }
  bool eventually_heard() const {
    return eventually_all(
        [](const auto& lane) { return lane.heard() != actors::lane_health::clock::time_point{}; });
  }

  metrics::registry registry;
  actors::runtime rt{actors::scheduler_knobs{}};
  std::optional<actors::storage_pool> pool;
  std::atomic<bool> may_connect = false;
  std::vector<std::shared_ptr<actors::lane_health>> health;
  actors::lane_watch watch;
};

ROOST_FOR_EACH_STORE(LaneWatch);

TEST_P(LaneWatch, AsksTheLanesThatHadNoJobsOnceTheStoreIsThere) {
  watched_pool watched(store().url());
  ASSERT_EQ(watched.health.size(), 4U); // two that are counted, two beside them
  std::this_thread::sleep_for(50ms);
  for (const auto& lane : watched.health) EXPECT_EQ(lane->heard(), actors::lane_health::clock::time_point{});
  watched.may_connect = true;
  EXPECT_TRUE(watched.eventually_heard());
  for (const auto& lane : watched.health) EXPECT_FALSE(lane->why_lost());
}

TEST(LaneWatchOfAStoreThatIsGone, TellsWhyALaneIsLostAndHearsByItselfWhenItIsBack) {
  const tests::temporary_folder folder;
  const auto in_its_place = folder / "a file where a folder should be";
  const std::ofstream made{in_its_place};
  const watched_pool watched("sqlite3://" + (in_its_place / "roost.db").string());
  actors::storage_job job{"test", {}, [](store::session& db) {
                            db.connect();
                            return std::any{};
                          }};
  caf::anon_send(watched.pool->at(actors::storage_pool::side_lane::ledger), std::move(job));
  const auto& ledger = *watched.health.back();
  EXPECT_EQ(ledger.name(), "ledger");
  const auto is_lost = [&](const auto& lane) { return (&lane == &ledger) == lane.why_lost().has_value(); };
  EXPECT_TRUE(watched.eventually_all(is_lost)) << "only the one that had a job";
  EXPECT_TRUE(ledger.is_in_doubt());

  std::filesystem::remove(in_its_place);
  EXPECT_TRUE(watched.eventually_all([](const auto& lane) { return !lane.why_lost(); }));
  EXPECT_FALSE(ledger.is_in_doubt());
}

/// One after which the store can be reached all the same: a time limit, a lock.
TEST_P(LaneWatch, TakesNoLaneForLostThatAJobFoundTheStoreTooSlowOn) {
  watched_pool watched(store().url());
  actors::storage_job job{"test", {}, [](store::session&) -> std::any { throw store::unavailable("slow"); }};
  caf::anon_send(watched.pool->at(actors::storage_pool::lane::decisions), std::move(job));
  const auto decisions = watched.health[1];
  for (int tries = 0; tries < 2'000 && decisions->heard() == actors::lane_health::clock::time_point{};
       ++tries) {
    EXPECT_FALSE(decisions->why_lost());
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_FALSE(decisions->is_in_doubt());
  EXPECT_FALSE(decisions->why_lost());
}

} // namespace roost::testing::lane_watch_test
