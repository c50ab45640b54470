#include "actors/inventory/hot_units.hpp"
#include "support/sample_portfolio.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace roost::actors::hot_units_test {
using testing::numbered_id;

domain::account account_of(std::uint8_t number, const std::string& name) {
  domain::account account;
  account.id = numbered_id(number);
  account.company_name = name;
  return account;
}

TEST(HotUnits, AreSortedByTheirNumberOfRequests) {
  hot_units hot;
  const auto one = account_of(1, "One"), two = account_of(2, "Two");
  for (int i = 0; i < 3; ++i) hot.record_stay(numbered_id(10), "ten", one, i == 0);
  for (int i = 0; i < 5; ++i) hot.record_stay(numbered_id(20), "twenty", two, true);
  const auto report = hot.busiest(10);
  ASSERT_EQ(report.units.size(), 2U);
  EXPECT_EQ(report.units[0].name, "twenty");
  EXPECT_EQ(report.units[0].reserved, 5U);
  EXPECT_EQ(report.units[1].reserved, 1U);
  EXPECT_EQ(report.units[1].refused, 2U);
  ASSERT_EQ(report.accounts.size(), 2U);
  EXPECT_EQ(report.accounts[0].name, "Two");
  EXPECT_EQ(hot.busiest(1).units.size(), 1U);
}

TEST(HotUnits, EstimateReads) {
  hot_units hot;
  for (unsigned i = 0; i < 100 * hot_units::read_sampling; ++i)
    hot.record_read(numbered_id(1), "one", account_of(2, "Two"));
  EXPECT_EQ(hot.busiest(1).units.at(0).reads, 100 * hot_units::read_sampling);
}

TEST(HotUnits, AreEmptyWithoutRequests) {
  EXPECT_TRUE(hot_units{}.busiest(5).units.empty());
  const auto json = to_json(hot_units{}.busiest(5));
  EXPECT_NE(json.find(R"("units":[],"accounts":[]})"), std::string::npos) << json;
}

TEST(HotList, KeepsTheHottestAmongManyOthers) {
  hot_list list;
  domain::uuid hottest{};
  *hottest.begin() = 1;
  for (unsigned i = 0; i < 20'000; ++i) {
    domain::uuid passing{};
    for (std::size_t byte = 0; byte < 4; ++byte)
      passing.data[15 - byte] = static_cast<std::uint8_t>(i >> (8 * byte));
    list.add(passing, "passing", &hot_entry::reads, 1);
    if (i % 10 == 0) list.add(hottest, "hottest", &hot_entry::reads, 1);
  }
  const auto all = list.hottest(hot_list::capacity + 1);
  EXPECT_EQ(all.size(), hot_list::capacity);
  EXPECT_EQ(all[0].id, hottest);
  EXPECT_GE(all[0].reads, 2'000U);
  EXPECT_LE(all[0].reads, 2'000U + 22'000U / hot_list::capacity);
}

/// The guarantee of Space-Saving: the sum is exact, and no count is too high by more than the lowest count.
TEST(HotList, OverestimatesCountsByTheLowestCountAtMost) {
  std::mt19937 random{20261124};
  hot_list list;
  std::map<domain::uuid, std::uint64_t> counted;
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    const auto number = random() % (i % 3 == 0 ? 20 : 2'000);
    domain::uuid id{};
    id.data[14] = static_cast<std::uint8_t>(number >> 8);
    id.data[15] = static_cast<std::uint8_t>(number);
    const std::uint64_t by = 1 + random() % 3;
    list.add(id, "unit", &hot_entry::reserved, by);
    counted[id] += by;
    sum += by;
  }
  const auto all = list.hottest(hot_list::capacity);
  ASSERT_EQ(all.size(), hot_list::capacity);
  const auto lowest = all.back().total();
  for (const auto& each : all) {
    EXPECT_GE(each.total(), counted[each.id]);
    EXPECT_LE(each.total(), counted[each.id] + lowest);
    sum -= each.total();
    counted.erase(each.id);
  }
  EXPECT_EQ(sum, 0U);
  for (const auto& [id, count] : counted) EXPECT_LE(count, lowest) << "higher counts are in the list";
}

} // namespace roost::actors::hot_units_test
