#include "http/management/usage_bodies.hpp"
#include "http/support/refusal.hpp"

#include <gmock/gmock.h>

namespace roost::http::usage_query_test {

std::string refusal(const std::string& query) {
  return testing::refusal_of([](const std::string& text) { parse_usage_page_query(text); }, query);
}
std::string summary_refusal(const std::string& query) {
  return testing::refusal_of([](const std::string& text) { parse_usage_summary_query(text); }, query);
}

TEST(UsagePageQuery, HasDefaults) {
  for (const auto* query : {"", "&&", "__proto__=1", "constructor=1"}) {
    const auto wanted = parse_usage_page_query(query);
    EXPECT_EQ(wanted.page, 1);
    EXPECT_EQ(wanted.limit, 50);
    EXPECT_FALSE(wanted.filter.from || wanted.filter.to || wanted.filter.feature);
  }
}

TEST(UsagePageQuery, ReadsNumbersAsJavaScriptDoes) {
  EXPECT_EQ(parse_usage_page_query("page=0x10").page, 16);
  EXPECT_EQ(parse_usage_page_query("page=1e3").page, 1000);
  EXPECT_EQ(parse_usage_page_query("page=1e21").page, 1e21);
  EXPECT_EQ(parse_usage_page_query("page=+2").page, 2);
  EXPECT_EQ(parse_usage_page_query("limit=200&page=1.0").limit, 200);
  EXPECT_EQ(parse_usage_page_query("limit=1").limit, 1);
}

TEST(UsagePageQuery, RefusesOtherNumbers) {
  const std::string too_small = "page must not be less than 1", no_integer = "page must be an integer number";
  for (const auto* query : {"page=0", "page=", "page", "page=-1", "page=%20"})
    EXPECT_EQ(refusal(query), too_small);
  for (const auto* query : {"page=1.5", "page=1e400"}) EXPECT_EQ(refusal(query), no_integer);
  for (const auto* query : {"page=x", "page=1&page=2"})
    EXPECT_EQ(refusal(query), too_small + ", " + no_integer);
  EXPECT_EQ(refusal("page=0.5"), too_small + ", " + no_integer);
  EXPECT_EQ(refusal("limit=0"), "limit must not be less than 1");
  EXPECT_EQ(refusal("limit=201"), "limit must not be greater than 200");
  EXPECT_EQ(refusal("limit=Infinity"), "limit must not be greater than 200, limit must be an integer number");
  EXPECT_EQ(refusal("limit=x"), "limit must not be greater than 200, limit must not be less than 1, "
                                "limit must be an integer number");
}

TEST(UsagePageQuery, TakesMomentsAndAFeature) {
  const auto wanted =
      parse_usage_page_query("from=2026-11-01&to=2026-11-30T23:59:59.999%2B01:00&feature=faq_generation");
  EXPECT_EQ(wanted.filter.from, domain::parse_timestamp("2026-11-01T00:00:00.000Z"));
  EXPECT_EQ(wanted.filter.to, domain::parse_timestamp("2026-11-30T22:59:59.999Z"));
  EXPECT_EQ(wanted.filter.feature, domain::ai_feature::faq_generation);
  EXPECT_EQ(refusal("from=2026-02-30&to=2026-01-01"), "");
}

TEST(UsagePageQuery, RefusesOtherMomentsAndFeatures) {
  for (const auto* query : {"from=garbage", "from=", "from=2026-01-01&from=2026-01-02"})
    EXPECT_EQ(refusal(query), "from must be a valid ISO 8601 date string");
  EXPECT_EQ(refusal("to=1763632800000"), "to must be a valid ISO 8601 date string");
  for (const auto* query : {"feature=", "feature=chat", "feature=landlord_chat&feature=faq_generation"})
    EXPECT_EQ(
        refusal(query),
        "feature must be one of the following values: landlord_chat, utility_bill_extraction, "
        "booking_communication_summary, faq_generation, ticket_priority_analysis, cashflow_invoice_analysis");
}

TEST(UsagePageQuery, RefusesUnknownFieldsFirstAndThenTheOthersInTheirOrder) {
  EXPECT_EQ(refusal("foo=1"), "property foo should not exist");
  EXPECT_EQ(refusal("a%20b=1"), "property a b should not exist");
  EXPECT_EQ(refusal("page[]=1"), "property page[] should not exist");
  EXPECT_EQ(refusal("page%5Bgt%5D=1"), "property page[gt] should not exist");
  EXPECT_EQ(
      refusal("limit=0&z=1&to=x&page=0&a=2&from=y"),
      "property z should not exist, property a should not exist, from must be a valid ISO 8601 date string, "
      "to must be a valid ISO 8601 date string, page must not be less than 1, limit must not be less than 1");
}

TEST(UsageSummaryQuery, KnowsNoPages) {
  EXPECT_EQ(parse_usage_summary_query("feature=faq_generation").feature, domain::ai_feature::faq_generation);
  EXPECT_EQ(summary_refusal("page=1&limit=2"),
            "property page should not exist, property limit should not exist");
  EXPECT_EQ(summary_refusal("to=x"), "to must be a valid ISO 8601 date string");
}

} // namespace roost::http::usage_query_test
