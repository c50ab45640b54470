#include "actors/inventory/hot_units.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace roost::actors::hot_units_test {

domain::uuid id_of(std::uint8_t number) {
  domain::uuid id{};
  *(id.end() - 1) = number;
  return id;
}

domain::account account_of(std::uint8_t number, const std::string& name) {
  domain::account account;
  account.id = id_of(number);
  account.company_name = name;
  return account;
}

TEST(BusyUnits, AreThoseThatAreAskedMostTheBusiestFirst) {
  hot_units busy;
  const auto one = account_of(1, "One"), two = account_of(2, "Two");
  for (int i = 0; i < 3; ++i) busy.note_stay(id_of(10), "ten", one, i == 0);
  for (int i = 0; i < 5; ++i) busy.note_stay(id_of(20), "twenty", two, true);
  const auto report = busy.busiest(10);
  ASSERT_EQ(report.units.size(), 2U);
  EXPECT_EQ(report.units[0].name, "twenty");
  EXPECT_EQ(report.units[0].reserved, 5U);
  EXPECT_EQ(report.units[1].reserved, 1U);
  EXPECT_EQ(report.units[1].refused, 2U);
  ASSERT_EQ(report.accounts.size(), 2U);
  EXPECT_EQ(report.accounts[0].name, "Two");
  EXPECT_EQ(busy.busiest(1).units.size(), 1U);
}

TEST(BusyUnits, EstimateReads) {
  hot_units busy;
  for (unsigned i = 0; i < 100 * hot_units::one_read_of; ++i)
    busy.note_read(id_of(1), "one", account_of(2, "Two"));
  EXPECT_EQ(busy.busiest(1).units.at(0).reads, 100 * hot_units::one_read_of);
}

TEST(BusyUnits, AreNoneWhereNothingIsAsked) {
  EXPECT_TRUE(hot_units{}.busiest(5).units.empty());
  const auto json = to_json(hot_units{}.busiest(5));
  EXPECT_NE(json.find(R"("units":[],"accounts":[]})"), std::string::npos) << json;
}

TEST(BusyList, KeepsTheBusiestWhenManyOthersPass) {
  hot_list list;
  domain::uuid busiest{};
  *busiest.begin() = 1;
  for (unsigned i = 0; i < 20'000; ++i) {
    domain::uuid passing{};
    for (std::size_t byte = 0; byte < 4; ++byte)
      passing.data[15 - byte] = static_cast<std::uint8_t>(i >> (8 * byte));
    list.add(passing, "passing", &busy_entry::reads, 1);
    if (i % 10 == 0) list.add(busiest, "busiest", &busy_entry::reads, 1);
  }
  const auto all = list.busiest(hot_list::room + 1);
  EXPECT_EQ(all.size(), hot_list::room);
  EXPECT_EQ(all[0].id, busiest);
  EXPECT_GE(all[0].reads, 2'000U);
  EXPECT_LE(all[0].reads, 2'000U + 22'000U / hot_list::room);
}

/// What Space-Saving promises: the sum is exact, and a count is too high by the lowest one at most.
TEST(BusyList, CountsNobodyTooLowAndNobodyTooHighByMoreThanTheLeastBusy) {
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
    list.add(id, "unit", &busy_entry::reserved, by);
    counted[id] += by;
    sum += by;
  }
  const auto all = list.busiest(hot_list::room);
  ASSERT_EQ(all.size(), hot_list::room);
  const auto least = all.back().all();
  for (const auto& each : all) {
    EXPECT_GE(each.all(), counted[each.id]);
    EXPECT_LE(each.all(), counted[each.id] + least);
    sum -= each.all();
    counted.erase(each.id);
  }
  EXPECT_EQ(sum, 0U);
  for (const auto& [id, count] : counted) EXPECT_LE(count, least) << "who is busier is in the list";
}

} // namespace roost::actors::hot_units_test
