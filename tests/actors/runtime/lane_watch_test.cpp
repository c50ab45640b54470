#include "actors/runtime/storage.hpp"
#include "support/eventually.hpp"
#include "support/store.hpp"
#include "temporary_folder.hpp"

#include <caf/send.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>

namespace roost::testing::lane_watch_test {

using namespace std::chrono_literals;

/// A pool whose lanes are checked often.
struct watched_pool {
  explicit watched_pool(const std::string& url) : pool(std::in_place, rt, url, 2, registry) {
    actors::lane_watch_settings settings{pool->watched_lanes(), [this] {
                                           ++checks;
                                           return may_connect.load();
                                         }};
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
    return eventually(
        [&] { return std::ranges::all_of(health, [&](const auto& lane) { return holds(*lane); }); });
  }
  bool eventually_respond() const {
    return eventually_all(
        [](const auto& lane) { return lane.last_response() != actors::lane_health::clock::time_point{}; });
  }

  metrics::registry registry;
  actors::runtime rt{actors::scheduler_knobs{}};
  std::optional<actors::storage_pool> pool;
  std::atomic<bool> may_connect = false;
  std::atomic<std::size_t> checks = 0; ///< of lanes that would have been probed
  std::vector<std::shared_ptr<actors::lane_health>> health;
  actors::lane_watch watch;
};

ROOST_FOR_EACH_STORE(LaneWatch);

TEST_P(LaneWatch, ProbesIdleLanesOnceTheStoreExists) {
  watched_pool watched(store().url());
  ASSERT_EQ(watched.health.size(), 5U); // two counted lanes and three side lanes
  EXPECT_TRUE(
      watched.eventually_all([&](const auto&) { return watched.checks >= 3 * watched.health.size(); }));
  for (const auto& lane : watched.health)
    EXPECT_EQ(lane->last_response(), actors::lane_health::clock::time_point{});
  watched.may_connect = true;
  EXPECT_TRUE(watched.eventually_respond());
  for (const auto& lane : watched.health) EXPECT_FALSE(lane->error());
}

TEST(LaneWatchWithoutAStore, ReportsTheErrorOfALostLaneAndDetectsItsRecovery) {
  const tests::temporary_folder folder;
  const auto blocking_file = folder / "a file where a folder should be";
  const std::ofstream created{blocking_file};
  const watched_pool watched("sqlite3://" + (blocking_file / "roost.db").string());
  actors::storage_job job{"test", {}, [](store::session& db) {
                            db.connect();
                            return std::any{};
                          }};
  caf::anon_send(watched.pool->at(actors::storage_pool::side_lane::office), std::move(job));
  const auto& office = *watched.health.back();
  EXPECT_EQ(office.name(), "office");
  const auto is_lost = [&](const auto& lane) { return (&lane == &office) == lane.error().has_value(); };
  EXPECT_TRUE(watched.eventually_all(is_lost)) << "only the lane that had a job";
  EXPECT_TRUE(office.is_in_doubt());

  std::filesystem::remove(blocking_file);
  EXPECT_TRUE(watched.eventually_all([](const auto& lane) { return !lane.error(); }));
  EXPECT_FALSE(office.is_in_doubt());
}

/// A job can fail although the store is reachable: because of a time limit or a lock.
TEST_P(LaneWatch, DoesNotReportALaneAsLostWhenOneJobTimesOut) {
  watched_pool watched(store().url());
  actors::storage_job job{"test", {}, [](store::session&) -> std::any { throw store::unavailable("slow"); }};
  caf::anon_send(watched.pool->at(actors::storage_pool::lane::decisions), std::move(job));
  const auto decisions = watched.health[1];
  EXPECT_TRUE(eventually([&] {
    EXPECT_FALSE(decisions->error());
    return decisions->last_response() != actors::lane_health::clock::time_point{};
  }));
  EXPECT_FALSE(decisions->is_in_doubt());
  EXPECT_FALSE(decisions->error());
}

} // namespace roost::testing::lane_watch_test
