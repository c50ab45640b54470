#include "bench/contention/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace roost::contention::workload_test {
namespace {

std::vector<stay_request> first(const workload_options& options, int count) {
  workload requests(options);
  std::vector<stay_request> stays;
  for (int i = 0; i < count; ++i) stays.push_back(requests.next());
  return stays;
}

std::map<std::uint32_t, int> by_unit(const std::vector<stay_request>& all) {
  std::map<std::uint32_t, int> counts;
  for (const auto& each : all) ++counts[each.unit];
  return counts;
}

TEST(Workload, DependsOnlyOnTheSeed) {
  workload_options options;
  const auto key = [](const std::vector<stay_request>& all) {
    std::vector<std::tuple<std::uint64_t, std::uint32_t, domain::date, domain::date>> keys;
    for (const auto& each : all) keys.emplace_back(each.number, each.unit, each.check_in, each.check_out);
    return keys;
  };
  const auto one = key(first(options, 1000));
  EXPECT_EQ(key(first(options, 1000)), one);
  options.seed = 2;
  EXPECT_NE(key(first(options, 1000)), one);
}

TEST(Workload, FollowsZipf) {
  workload_options options;
  options.units = 100;
  options.zipf = 1;
  const auto counts = by_unit(first(options, 100'000));
  EXPECT_NEAR(counts.at(0), 100'000 / 5.187, 600); // the hundredth harmonic number
  EXPECT_NEAR(counts.at(9), 100'000 / 51.87, 250);
}

TEST(Workload, IsUniformAtExponentZero) {
  workload_options options;
  options.units = 10;
  options.zipf = 0;
  for (const auto& [unit, count] : by_unit(first(options, 100'000))) EXPECT_NEAR(count, 10'000, 500) << unit;
}

TEST(Workload, GivesTheHotUnitsTheirShare) {
  workload_options options;
  options.units = 50;
  options.hot_units = 2;
  options.hot_share = 0.7;
  const auto counts = by_unit(first(options, 100'000));
  EXPECT_NEAR(counts.at(0) + counts.at(1), 70'000, 700);
  EXPECT_NEAR(counts.at(2), 625, 120);
  options.hot_share = 1;
  options.hot_units = 1;
  EXPECT_EQ(by_unit(first(options, 1000)).size(), 1u);
}

TEST(Workload, KeepsTheShareOfRefusalsOnARollingCalendar) {
  workload_options options;
  options.units = 3;
  options.conflicts = 0.3;
  const auto all = first(options, 60'000);
  std::map<std::uint32_t, std::vector<stay_request>> booked;
  const auto refused_of = [&](std::size_t begin, std::size_t end) {
    int refused = 0;
    for (std::size_t i = begin; i < end; ++i) {
      auto& stays = booked[all[i].unit];
      // Only the unit's last stay can overlap.
      const bool taken = !stays.empty() && all[i].check_in < stays.back().check_out;
      if (taken)
        ++refused;
      else
        stays.push_back(all[i]);
    }
    return refused;
  };
  EXPECT_NEAR(refused_of(0, 10'000), 3'000, 200);
  EXPECT_NEAR(refused_of(10'000, 20'000), 3'000, 200);
}

TEST(Workload, StaysWithinTheWindowAndTheLengthsOfAFixedCalendar) {
  workload_options options;
  options.calendar = calendar_kind::fixed;
  options.window = 30;
  options.shortest = 2;
  options.longest = 5;
  auto earliest = domain::date::max(), latest = domain::date::min();
  for (const auto& each : first(options, 20'000)) {
    EXPECT_GE((each.check_out - each.check_in).count(), 2);
    EXPECT_LE((each.check_out - each.check_in).count(), 5);
    earliest = std::min(earliest, each.check_in);
    latest = std::max(latest, each.check_out);
  }
  EXPECT_EQ((latest - earliest).count(), 30);
}

TEST(Workload, ReportsAnExhaustedRollingCalendar) {
  workload_options options;
  options.units = 1;
  options.conflicts = 0;
  options.shortest = options.longest = 365;
  EXPECT_THROW(first(options, 10'000), calendar_exhausted);
}

TEST(Workload, RejectsInvalidOptions) {
  const auto expect_rejected = [](auto change) {
    workload_options options;
    change(options);
    EXPECT_THROW(workload{options}, std::invalid_argument);
  };
  expect_rejected([](auto& options) { options.units = 0; });
  expect_rejected([](auto& options) { options.zipf = -1; });
  expect_rejected([](auto& options) { options.hot_share = 1.1; });
  expect_rejected([](auto& options) { options.hot_units = options.units + 1; });
  expect_rejected([](auto& options) { options.shortest = options.longest + 1; });
  expect_rejected([](auto& options) { options.longest = options.window + 1; });
  expect_rejected([](auto& options) { options.conflicts = 2; });
}

} // namespace
} // namespace roost::contention::workload_test
