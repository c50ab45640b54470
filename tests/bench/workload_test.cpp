#include "bench/contention/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace roost::contention::workload_test {
namespace {

std::vector<stay> first(const workload_options& options, int count) {
  workload from(options);
  std::vector<stay> made;
  for (int i = 0; i < count; ++i) made.push_back(from.next());
  return made;
}

std::map<std::uint32_t, int> by_unit(const std::vector<stay>& all) {
  std::map<std::uint32_t, int> counts;
  for (const auto& each : all) ++counts[each.unit];
  return counts;
}

TEST(Workload, IsTheSameForTheSameSeedAndAnotherForAnother) {
  workload_options options;
  const auto key = [](const std::vector<stay>& all) {
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

TEST(Workload, GivesAllUnitsTheSameAtExponentZero) {
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

TEST(Workload, RollsSoThatTheSameShareIsRefusedHoweverLongItRuns) {
  workload_options options;
  options.units = 3;
  options.conflicts = 0.3;
  const auto all = first(options, 60'000);
  std::map<std::uint32_t, std::vector<stay>> booked;
  const auto refused_of = [&](std::size_t begin, std::size_t end) {
    int refused = 0;
    for (std::size_t i = begin; i < end; ++i) {
      auto& of = booked[all[i].unit];
      // What can overlap is among the last of the unit's stays.
      const bool taken = !of.empty() && all[i].check_in < of.back().check_out;
      if (taken)
        ++refused;
      else
        of.push_back(all[i]);
    }
    return refused;
  };
  EXPECT_NEAR(refused_of(0, 10'000), 3'000, 200);
  EXPECT_NEAR(refused_of(10'000, 20'000), 3'000, 200);
}

TEST(Workload, KeepsToTheWindowOfAFixedCalendarAndToTheLengths) {
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

TEST(Workload, SaysWhenARollingCalendarIsOver) {
  workload_options options;
  options.units = 1;
  options.conflicts = 0;
  options.shortest = options.longest = 365;
  EXPECT_THROW(first(options, 10'000), calendar_over);
}

TEST(Workload, RefusesOptionsThatCannotBe) {
  const auto refuses = [](auto change) {
    workload_options options;
    change(options);
    EXPECT_THROW(workload{options}, std::invalid_argument);
  };
  refuses([](auto& of) { of.units = 0; });
  refuses([](auto& of) { of.zipf = -1; });
  refuses([](auto& of) { of.hot_share = 1.1; });
  refuses([](auto& of) { of.hot_units = of.units + 1; });
  refuses([](auto& of) { of.shortest = of.longest + 1; });
  refuses([](auto& of) { of.longest = of.window + 1; });
  refuses([](auto& of) { of.conflicts = 2; });
}

} // namespace
} // namespace roost::contention::workload_test
