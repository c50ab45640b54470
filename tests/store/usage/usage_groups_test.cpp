#include "store/support/sample_portfolio.hpp"
#include "store/support/sample_usage.hpp"
#include "store/usage/usage.hpp"
#include "store/usage/usage_groups.hpp"
#include "support/random_cases.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <map>

namespace roost::testing::usage_groups_test {
using domain::ai_usage_filter;
using enum domain::ai_usage_grouping;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class UsageGroups : public on_each_store {
protected:
  void SetUp() override { import_sample(session(), sample_portfolio(2)); }

  void add(const std::vector<domain::ai_usage_record>& records) {
    store::import_usage(session(), records, {});
  }

  /// Adds a record of a user.
  void add_of(unsigned long n, const char* created_at, const std::optional<std::string>& user,
              const char* cost) {
    auto record = sample_usage(n, created_at, cost);
    record.user_id = user;
    add({record});
  }

  /// Returns the groups as `name: calls, cost`.
  std::vector<std::string> groups(domain::ai_usage_grouping by, const ai_usage_filter& filter = {}) {
    const auto summary = store::read_usage_groups(session(), account_id(1), filter, by);
    EXPECT_EQ(summary.grouped_by, by);
    std::vector<std::string> texts;
    domain::ai_usage_totals sum;
    for (const auto& each : summary.groups) {
      EXPECT_EQ(each.by, by);
      sum += each.used;
      texts.push_back((by == day ? domain::to_string(each.day) : each.user_id.value_or("null")) + ": " +
                      std::to_string(each.used.calls) + ", " + domain::to_string(each.used.cost));
    }
    EXPECT_EQ(sum.calls, summary.totals.calls) << "the groups are all records of the period";
    EXPECT_EQ(sum.tokens, summary.totals.tokens);
    EXPECT_EQ(sum.cost, summary.totals.cost);
    return texts;
  }
};
ROOST_ON_EACH_STORE(UsageGroups);

TEST_P(UsageGroups, AreTheDaysWithRecords) {
  add({sample_usage(1, "2026-11-20T00:00:00.000Z", "0.1"), sample_usage(2, "2026-11-20T23:59:59.999Z", "0.2"),
       sample_usage(3, "2026-11-22T10:00:00.000Z", "1")});
  EXPECT_THAT(groups(day), ElementsAre("2026-11-20: 2, 0.3", "2026-11-22: 1, 1"));
}

TEST_P(UsageGroups, AreThePartsOfDaysInThePeriod) {
  add({sample_usage(1, "2026-11-20T09:00:00.000Z", "1"), sample_usage(2, "2026-11-20T10:00:00.000Z", "2"),
       sample_usage(3, "2026-11-21T10:00:00.000Z", "4"), sample_usage(4, "2026-11-22T10:00:00.000Z", "8"),
       sample_usage(5, "2026-11-22T11:00:00.000Z", "16")});
  const ai_usage_filter three_days{
      moment("2026-11-20T10:00:00.000Z"), moment("2026-11-22T10:00:00.000Z"), {}};
  EXPECT_THAT(groups(day, three_days),
              ElementsAre("2026-11-20: 1, 2", "2026-11-21: 1, 4", "2026-11-22: 1, 8"));
  const ai_usage_filter over_midnight{
      moment("2026-11-21T00:00:00.001Z"), moment("2026-11-22T10:59:59.999Z"), {}};
  EXPECT_THAT(groups(day, over_midnight), ElementsAre("2026-11-21: 1, 4", "2026-11-22: 1, 8"));
  const ai_usage_filter empty{moment("2026-11-22T10:00:00.001Z"), moment("2026-11-20T10:00:00.000Z"), {}};
  EXPECT_THAT(groups(day, empty), IsEmpty());
  EXPECT_THAT(groups(user, empty), IsEmpty());
}

TEST_P(UsageGroups, AreTheUsersOfThePeriodWithRecordsWithoutAUserLast) {
  add_of(1, "2026-11-20T10:00:00.000Z", "b", "1");
  add_of(2, "2026-11-21T10:00:00.000Z", std::nullopt, "2");
  add_of(3, "2026-11-22T10:00:00.000Z", "A", "4");
  add_of(4, "2026-11-23T10:00:00.000Z", "b", "8.000000000000000001");
  EXPECT_THAT(groups(user), ElementsAre("A: 1, 4", "b: 2, 9.000000000000000001", "null: 1, 2"));
  EXPECT_THAT(groups(user, {moment("2026-11-21T00:00:00.000Z"), {}, {}}),
              ElementsAre("A: 1, 4", "b: 1, 8.000000000000000001", "null: 1, 2"));
}

TEST_P(UsageGroups, AreOfOneFeatureAndOfOneAccount) {
  auto faq = sample_usage(1, "2026-11-20T10:00:00.000Z", "1");
  faq.feature = domain::ai_feature::faq_generation;
  auto other = sample_usage(2, "2026-11-20T10:00:00.000Z", "2");
  other.account_id = account_id(2);
  add({faq, other, sample_usage(3, "2026-11-20T10:00:00.000Z", "4")});
  const ai_usage_filter filter{{}, {}, domain::ai_feature::faq_generation};
  EXPECT_THAT(groups(day, filter), ElementsAre("2026-11-20: 1, 1"));
  EXPECT_THAT(groups(user, filter), ElementsAre("null: 1, 1"));
  EXPECT_THAT(groups(user), ElementsAre("null: 2, 5"));
}

TEST_P(UsageGroups, AgreeWithTheirRecordsInAnyPeriod) {
  const auto start = moment("2026-11-20T00:00:00.000Z");
  domain::for_random_cases(1, [&](std::mt19937& random) {
    const auto any_time = [&] {
      return start + std::chrono::minutes{domain::between(random, 0, 4 * 24 * 60)};
    };
    std::vector<domain::ai_usage_record> records;
    for (unsigned long n = 1; n <= 60; ++n) {
      records.push_back(sample_usage(n, "2026-11-20T00:00:00.000Z", "0.000000001"));
      records.back().created_at = any_time();
    }
    add(records);
    for (int i = 0; i < 30; ++i) {
      const ai_usage_filter filter{any_time(), any_time(), {}};
      std::map<domain::date, std::int64_t> expected;
      for (const auto& each : records)
        if (each.created_at >= *filter.from && each.created_at <= *filter.to)
          ++expected[domain::day_of(each.created_at)];
      std::map<domain::date, std::int64_t> found;
      for (const auto& each : store::read_usage_groups(session(), account_id(1), filter, day).groups)
        found[each.day] = each.used.calls;
      EXPECT_EQ(found, expected);
    }
  });
}

} // namespace roost::testing::usage_groups_test
