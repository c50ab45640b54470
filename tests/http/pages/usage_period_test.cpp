#include "http/pages/usage_period.hpp"
#include "http/protocol/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::http::testing::usage_period_test {

const domain::date today = *domain::parse_date("2026-03-31");

std::string read(std::string_view query) { return read_usage_period(query, today).query(); }

std::string refusal_for(std::string_view query) {
  try {
    read_usage_period(query, today);
    return "";
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.status, 400U);
    return refusal.message;
  }
}

TEST(UsagePeriod, DefaultsToTheLastThirtyDays) {
  EXPECT_EQ(read(""), "from=2026-03-02&to=2026-03-31");
  EXPECT_EQ(read("from=2026-03-30"), "from=2026-03-30&to=2026-03-31");
  EXPECT_EQ(read("to=2026-01-31"), "from=2026-01-02&to=2026-01-31");
  EXPECT_EQ(read("from=&to=&feature="), "from=2026-03-02&to=2026-03-31");
}

TEST(UsagePeriod, ReadsItsOwnQuery) {
  const std::string query = "from=2025-01-01&to=2026-03-31&feature=landlord_chat";
  EXPECT_EQ(read(query), query);
}

TEST(UsagePeriod, IncludesBothDays) {
  const auto filter = read_usage_period("from=2026-03-01&to=2026-03-02", today).filter();
  EXPECT_EQ(domain::to_string(*filter.from), "2026-03-01T00:00:00.000Z");
  EXPECT_EQ(domain::to_string(*filter.to), "2026-03-02T23:59:59.999Z");
}

TEST(UsagePeriod, IsLimitedToThreeYears) {
  EXPECT_EQ(refusal_for("from=2023-03-30&to=2026-03-31"), "");
  EXPECT_EQ(refusal_for("from=2023-03-29&to=2026-03-31"), "Please choose a period of at most three years.");
  EXPECT_EQ(refusal_for("from=2026-04-01"), "The first day must not be after the last day.");
  EXPECT_EQ(refusal_for("to=2026-02-29"), "Please enter dates in the form 2026-11-20.");
  EXPECT_EQ(refusal_for("feature=x"), "There is no such feature.");
}

TEST(UsagePeriod, IsShownByMonthsIfLongerThan92Days) {
  EXPECT_FALSE(read_usage_period("from=2026-01-01&to=2026-04-02", today).by_months()); // 92 days
  EXPECT_TRUE(read_usage_period("from=2026-01-01&to=2026-04-03", today).by_months());
}

TEST(UsagePeriod, HasShortcuts) {
  std::vector<std::string> queries;
  for (const auto& each : usage_shortcuts(today)) queries.push_back(each.period.query());
  EXPECT_THAT(queries,
              ::testing::ElementsAre("from=2026-03-25&to=2026-03-31", "from=2026-03-02&to=2026-03-31",
                                     "from=2026-03-01&to=2026-03-31", "from=2026-02-01&to=2026-02-28",
                                     "from=2025-04-01&to=2026-03-31"));
}

TEST(FeatureTitle, IsWrittenForPeople) {
  EXPECT_EQ(feature_title(domain::ai_feature::landlord_chat), "Landlord chat");
  EXPECT_EQ(feature_title(domain::ai_feature::faq_generation), "FAQ generation");
}

} // namespace roost::http::testing::usage_period_test
