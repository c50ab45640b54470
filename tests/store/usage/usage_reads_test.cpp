#include "store/database/connection.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/sample_usage.hpp"
#include "store/usage/usage.hpp"
#include "support/random_cases.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace roost::testing::usage_reads_test {

using domain::ai_feature;
using domain::ai_usage_filter;
using domain::ai_usage_record;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class UsageReads : public on_each_store {
protected:
  void SetUp() override { import_sample(session(), sample_portfolio(2)); }

  void add(const std::vector<ai_usage_record>& records) { store::import_usage(session(), records, {}); }

  domain::ai_usage_page page(const ai_usage_filter& filter, std::int64_t offset = 0,
                             std::int64_t limit = 50) {
    return store::read_usage_page(session(), account_id(1), filter, offset, limit);
  }
  std::vector<domain::uuid> ids(const ai_usage_filter& filter, std::int64_t offset = 0,
                                std::int64_t limit = 50) {
    std::vector<domain::uuid> ids;
    for (const auto& item : page(filter, offset, limit).items) ids.push_back(item.id);
    return ids;
  }
  domain::ai_usage_summary summary(const ai_usage_filter& filter) {
    return store::read_usage_summary(session(), account_id(1), filter);
  }
};
ROOST_ON_EACH_STORE(UsageReads);

const auto id = [](unsigned long n) { return numbered_id(40, n); };

TEST_P(UsageReads, ReturnAllFieldsOfARecord) {
  auto record = sample_usage(1, "2026-11-20T10:00:00.123Z", "999999999999999.000000000000000001");
  record.feature = ai_feature::utility_bill_extraction;
  record.pricing_snapshot = R"({ "perMTok": {"output": 15.00, "input": 0.30}, "currency": "USD" })";
  record.user_id = "user";
  record.source = "web";
  record.conversation_id = "c1";
  record.reference_id = "r1";
  record.metadata = R"({"pages": 2, "note": "a \"quoted\" text, {with} braces"})";
  add({record});
  const auto records = page({});
  ASSERT_EQ(records.items.size(), 1u);
  const auto& item = records.items[0];
  EXPECT_EQ(item.id, record.id);
  EXPECT_EQ(item.account_id, record.account_id);
  EXPECT_EQ(item.feature, record.feature);
  EXPECT_EQ(item.provider, record.provider);
  EXPECT_EQ(item.model, record.model);
  EXPECT_EQ(item.tokens, record.tokens);
  EXPECT_EQ(item.cost, record.cost);
  EXPECT_EQ(item.currency, "USD");
  EXPECT_EQ(item.pricing_snapshot, record.pricing_snapshot);
  EXPECT_EQ(item.user_id, record.user_id);
  EXPECT_EQ(item.source, record.source);
  EXPECT_EQ(item.conversation_id, record.conversation_id);
  EXPECT_EQ(item.reference_id, record.reference_id);
  EXPECT_EQ(item.metadata, record.metadata);
  EXPECT_EQ(item.created_at, record.created_at);
  EXPECT_EQ(records.total, 1);
}

TEST_P(UsageReads, AreOrderedNewestFirstAndThenById) {
  add({sample_usage(1, "2026-11-20T10:00:00.000Z"), sample_usage(2, "2026-11-21T10:00:00.000Z"),
       sample_usage(4, "2026-11-20T10:00:00.000Z"), sample_usage(3, "2026-11-19T10:00:00.000Z")});
  EXPECT_THAT(ids({}), ElementsAre(id(2), id(4), id(1), id(3)));
  EXPECT_THAT(ids({}, 0, 2), ElementsAre(id(2), id(4)));
  EXPECT_THAT(ids({}, 2, 2), ElementsAre(id(1), id(3)));
  EXPECT_THAT(ids({}, 3, 2), ElementsAre(id(3)));
  EXPECT_THAT(ids({}, 4, 2), IsEmpty());
  EXPECT_EQ(page({}, 4, 2).total, 4);
}

TEST_P(UsageReads, IncludeBothEndsOfAnInterval) {
  add({sample_usage(1, "2026-11-20T10:00:00.000Z"), sample_usage(2, "2026-11-20T10:00:00.001Z"),
       sample_usage(3, "2026-11-20T10:00:00.002Z")});
  const auto at = [](int millis) {
    return moment("2026-11-20T10:00:00.000Z") + std::chrono::milliseconds{millis};
  };
  EXPECT_THAT(ids({at(1), at(1), {}}), ElementsAre(id(2)));
  EXPECT_THAT(ids({at(1), {}, {}}), ElementsAre(id(3), id(2)));
  EXPECT_THAT(ids({{}, at(1), {}}), ElementsAre(id(2), id(1)));
  EXPECT_THAT(ids({at(2), at(1), {}}), IsEmpty());
  EXPECT_EQ(summary({at(1), at(2), {}}).totals.calls, 2);
  EXPECT_EQ(summary({at(2), at(1), {}}).totals.calls, 0);
}

TEST_P(UsageReads, ClampTimesToTheRangeOfAColumn) {
  add({sample_usage(1, "2026-11-20T10:00:00.000Z")});
  const domain::timestamp distant_past = domain::date_of(std::chrono::year{-9999} / 1 / 1),
                          distant_future = domain::date_of(std::chrono::year{20'000} / 1 / 1);
  EXPECT_EQ(page({distant_past, distant_future, {}}).total, 1);
  EXPECT_EQ(page({distant_future, {}, {}}).total, 0);
  EXPECT_EQ(page({{}, distant_past, {}}).total, 0);
  EXPECT_EQ(summary({{}, distant_past, {}}).totals.calls, 0);
}

TEST_P(UsageReads, AreLimitedToOneAccountAndFeature) {
  auto other_feature = sample_usage(2, "2026-11-20T11:00:00.000Z");
  other_feature.feature = ai_feature::faq_generation;
  auto other_account = sample_usage(3, "2026-11-20T12:00:00.000Z");
  other_account.account_id = account_id(2);
  auto system_wide = sample_usage(4, "2026-11-20T13:00:00.000Z");
  system_wide.account_id.reset();
  add({sample_usage(1, "2026-11-20T10:00:00.000Z"), other_feature, other_account, system_wide});
  EXPECT_THAT(ids({}), ElementsAre(id(2), id(1)));
  EXPECT_THAT(ids({{}, {}, ai_feature::faq_generation}), ElementsAre(id(2)));
  EXPECT_EQ(page({{}, {}, ai_feature::faq_generation}).total, 1);
  EXPECT_THAT(ids({{}, {}, ai_feature::ticket_priority_analysis}), IsEmpty());
  EXPECT_EQ(summary({}).totals.calls, 2);
  EXPECT_EQ(summary({{}, {}, ai_feature::faq_generation}).totals.calls, 1);
}

TEST_P(UsageReads, SumUpByFeatureAndModel) {
  auto cheap = sample_usage(2, "2026-11-20T11:00:00.000Z", "0.2");
  cheap.model = "model-0";
  auto other = sample_usage(3, "2026-11-21T11:00:00.000Z", "0.4");
  other.feature = ai_feature::faq_generation;
  add({sample_usage(1, "2026-11-20T10:00:00.000Z", "0.1"), cheap, other,
       sample_usage(4, "2026-11-22T10:00:00.000Z", "0.7")});
  const auto result = summary({});
  ASSERT_EQ(result.breakdown.size(), 3u);
  EXPECT_EQ(result.breakdown[0].model, "model-0");
  EXPECT_EQ(result.breakdown[1].model, "model-1");
  EXPECT_EQ(result.breakdown[1].used.calls, 2);
  EXPECT_EQ(result.breakdown[1].used.tokens, (domain::ai_tokens{2, 40, 600, 8000}));
  EXPECT_EQ(result.breakdown[1].used.cost, number("0.8"));
  EXPECT_EQ(result.breakdown[2].feature, ai_feature::faq_generation);
  EXPECT_EQ(result.totals.calls, 4);
  EXPECT_EQ(result.totals.cost, number("1.4"));
}

TEST_P(UsageReads, ReturnThePriceOfTheNewestRecordForAnyInterval) {
  auto newest = sample_usage(1, "2026-11-22T10:00:00.000Z");
  newest.pricing_snapshot = R"({"perMTok": {"input": 2.50, "output": 12}})";
  add({newest});
  add({sample_usage(2, "2026-11-20T10:00:00.000Z")}); // arrives late
  const auto result = summary({{}, moment("2026-11-21T00:00:00.000Z"), {}});
  ASSERT_EQ(result.breakdown.size(), 1u);
  EXPECT_EQ(result.breakdown[0].used.calls, 1);
  EXPECT_EQ(result.breakdown[0].price, (domain::ai_price{number("2.5"), number("12")}));
}

/// A simple reference implementation of the ledger in memory.
struct plain_ledger {
  std::vector<ai_usage_record> records;

  std::vector<ai_usage_record> matching(const ai_usage_filter& filter) const {
    std::vector<ai_usage_record> matches;
    for (const auto& each : records)
      if (each.account_id == account_id(1) && (!filter.from || each.created_at >= *filter.from) &&
          (!filter.to || each.created_at <= *filter.to) &&
          (!filter.feature || each.feature == *filter.feature))
        matches.push_back(each);
    std::ranges::sort(matches, [](const auto& a, const auto& b) {
      return std::tie(a.created_at, a.id) > std::tie(b.created_at, b.id);
    });
    return matches;
  }
};

/// Returns times near midnight in particular, where whole and partial days meet.
domain::timestamp random_moment(std::mt19937& random) {
  const auto day = domain::date_of(std::chrono::year{2026} / 11 / 20);
  const auto midnight = domain::timestamp{day + domain::days{domain::between(random, 0, 6)}};
  const auto offset = domain::between(random, 0, 2) == 0 ? domain::between(random, -2, 2)
                                                         : domain::between(random, 0, 86'399'999);
  return midnight + std::chrono::milliseconds{offset};
}

ai_usage_filter random_filter(std::mt19937& random) {
  ai_usage_filter filter;
  if (domain::between(random, 0, 3) > 0) filter.from = random_moment(random);
  if (domain::between(random, 0, 3) > 0) filter.to = random_moment(random);
  if (domain::between(random, 0, 1) == 0)
    filter.feature = static_cast<ai_feature>(domain::between(random, 0, 2));
  return filter;
}

plain_ledger random_ledger(std::mt19937& random) {
  plain_ledger ledger;
  for (unsigned long n = 0; n < 400; ++n) {
    auto record = sample_usage(n, "2026-11-20T00:00:00.000Z");
    record.created_at = random_moment(random);
    record.account_id = domain::between(random, 0, 9) == 0 ? account_id(2) : account_id(1);
    record.feature = static_cast<ai_feature>(domain::between(random, 0, 2));
    record.model = "model-" + std::to_string(domain::between(random, 0, 1));
    record.cost = shifted(*domain::parse_decimal(std::to_string(domain::between(random, 0, 999'999'999'999))),
                          static_cast<long>(-domain::between(random, 0, 18)));
    ledger.records.push_back(record);
  }
  return ledger;
}

TEST_P(UsageReads, MatchThePlainLedgerForRandomFiltersAndPages) {
  std::mt19937 random{13};
  const auto plain = random_ledger(random);
  add(plain.records);
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(i);
    const auto filter = random_filter(random);
    const auto expected = plain.matching(filter);
    const auto offset = domain::between(random, 0, 60), limit = domain::between(random, 1, 30);
    std::vector<domain::uuid> expected_ids;
    for (auto at = static_cast<std::size_t>(offset); at < expected.size() && std::ssize(expected_ids) < limit;
         ++at)
      expected_ids.push_back(expected[at].id);
    EXPECT_EQ(ids(filter, offset, limit), expected_ids);
    EXPECT_EQ(page(filter, offset, limit).total, std::ssize(expected));

    domain::ai_usage_totals totals;
    std::map<std::pair<ai_feature, std::string>, std::int64_t> calls;
    for (const auto& each : expected) {
      totals += {1, each.tokens, each.cost};
      ++calls[{each.feature, each.model}];
    }
    const auto result = summary(filter);
    EXPECT_EQ(result.totals.calls, totals.calls);
    EXPECT_EQ(result.totals.tokens, totals.tokens);
    EXPECT_EQ(result.totals.cost, totals.cost);
    std::map<std::pair<ai_feature, std::string>, std::int64_t> result_calls;
    for (const auto& share : result.breakdown) result_calls[{share.feature, share.model}] = share.used.calls;
    EXPECT_EQ(result_calls, calls);
  }
}

TEST_P(UsageReads, ReturnTheUsageOfEachWholeDay) {
  auto other = sample_usage(3, "2026-11-20T23:59:59.999Z", "1.5");
  other.feature = ai_feature::faq_generation;
  auto foreign = sample_usage(4, "2026-11-20T12:00:00.000Z");
  foreign.account_id = account_id(2);
  add({sample_usage(1, "2026-11-20T00:00:00.000Z", "0.000000000000000001"),
       sample_usage(2, "2026-11-20T10:00:00.000Z", "1000000000.25"), other, foreign,
       sample_usage(5, "2026-11-21T00:00:00.000Z")});
  const auto days = [&](const ai_usage_filter& filter) {
    std::vector<std::string> lines;
    for (const auto& each : store::read_usage_days(session(), account_id(1), filter))
      lines.push_back(domain::to_string(each.day) + ' ' + std::string(domain::to_string(each.feature)) + ' ' +
                      each.model + ' ' + std::to_string(each.used.calls) + ' ' +
                      std::to_string(each.used.tokens.total()) + ' ' + domain::to_string(each.used.cost));
    return lines;
  };
  EXPECT_THAT(days({}), ElementsAre("2026-11-20 faq_generation model-1 1 4321 1.5",
                                    "2026-11-20 landlord_chat model-1 2 8642 1000000000.250000000000000001",
                                    "2026-11-21 landlord_chat model-1 1 4321 0.021075"));
  EXPECT_THAT(days({.from = moment("2026-11-20T00:00:00.000Z"),
                    .to = moment("2026-11-20T23:59:59.999Z"),
                    .feature = ai_feature::faq_generation}),
              ElementsAre("2026-11-20 faq_generation model-1 1 4321 1.5"));
  EXPECT_THAT(days({.from = moment("2026-11-20T00:00:00.001Z"), .to = moment("2026-11-21T10:00:00.000Z")}),
              IsEmpty()); // no whole day
}

store::split_interval split(const char* from, const char* to) {
  return store::split_by_day({moment(from), moment(to), {}});
}

TEST(UsageIntervals, HaveNoPartialDaysForWholeDays) {
  const auto november = split("2026-11-01T00:00:00.000Z", "2026-11-30T23:59:59.999Z");
  EXPECT_TRUE(november.before.is_empty());
  EXPECT_EQ(november.first_day, day("2026-11-01"));
  EXPECT_EQ(november.last_day, day("2026-11-30"));
  EXPECT_TRUE(november.after.is_empty());
}

TEST(UsageIntervals, WithPartialDaysAreSplit) {
  const auto cut = split("2026-11-01T00:00:00.001Z", "2026-11-30T23:59:59.998Z");
  EXPECT_EQ(cut.before.begin, moment("2026-11-01T00:00:00.001Z"));
  EXPECT_EQ(cut.before.end, moment("2026-11-01T23:59:59.999Z"));
  EXPECT_EQ(cut.first_day, day("2026-11-02"));
  EXPECT_EQ(cut.last_day, day("2026-11-29"));
  EXPECT_EQ(cut.after.begin, moment("2026-11-30T00:00:00.000Z"));
  EXPECT_EQ(cut.after.end, moment("2026-11-30T23:59:59.998Z"));
}

TEST(UsageIntervals, WithoutAWholeDayAreOnePart) {
  for (const auto* to : {"2026-11-20T23:59:59.999Z", "2026-11-21T12:00:00.000Z"}) {
    const auto part = split("2026-11-20T00:00:00.001Z", to);
    EXPECT_EQ(part.before.end, moment(to));
    EXPECT_GT(part.first_day, part.last_day);
    EXPECT_TRUE(part.after.is_empty());
  }
}

TEST(UsageIntervals, AreEmptyIfTheyEndBeforeTheyBegin) {
  const auto none = split("2026-11-20T00:00:00.001Z", "2026-11-20T00:00:00.000Z");
  EXPECT_TRUE(none.before.is_empty());
  EXPECT_GT(none.first_day, none.last_day);
  EXPECT_TRUE(none.after.is_empty());
}

TEST(UsageIntervals, WithoutBoundsCoverAllDays) {
  const auto all = store::split_by_day({});
  EXPECT_TRUE(all.before.is_empty());
  EXPECT_EQ(all.first_day, day("0001-01-01"));
  EXPECT_EQ(all.last_day, day("9999-12-31"));
  EXPECT_TRUE(all.after.is_empty());
}

} // namespace roost::testing::usage_reads_test
