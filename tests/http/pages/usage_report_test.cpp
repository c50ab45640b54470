#include "http/pages/usage_report.hpp"
#include "http/protocol/error.hpp"
#include "support/patterns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::http::testing::usage_report_test {

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

TEST(UsagePeriod, StartsWithTheFirstDayThatCanBeEntered) {
  EXPECT_EQ(read("to=0001-01-05"), "from=0001-01-01&to=0001-01-05");
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

domain::ai_usage_day day(const char* date, domain::ai_feature feature, const char* cost) {
  domain::ai_usage_day made;
  made.day = *domain::parse_date(date);
  made.feature = feature;
  made.used.cost = *domain::parse_decimal(cost);
  return made;
}

usage_period period(const char* from, const char* to) {
  return {*domain::parse_date(from), *domain::parse_date(to), {}};
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> all;
  for (const auto& match : roost::testing::all_matches(text, pattern)) all.push_back(match[1]);
  return all;
}

using enum domain::ai_feature;

TEST(UsageSteps, IncludeDaysWithoutCosts) {
  const auto steps = steps_of(period("2026-02-27", "2026-03-02"), {day("2026-02-28", landlord_chat, "0.1"),
                                                                   day("2026-02-28", landlord_chat, "0.2"),
                                                                   day("2026-03-02", faq_generation, "5")});
  std::vector<std::string> texts;
  for (const auto& step : steps.steps) texts.push_back(step.name + " " + domain::to_string(step.cost));
  EXPECT_THAT(texts, ElementsAre("2026-02-27 0", "2026-02-28 0.3", "2026-03-01 0", "2026-03-02 5"));
  EXPECT_THAT(steps.features, ElementsAre(landlord_chat, faq_generation));
}

TEST(UsageSteps, AreMonthsInALongPeriod) {
  const auto steps = steps_of(period("2026-01-15", "2026-06-01"),
                              {day("2026-01-20", landlord_chat, "1"), day("2026-01-31", landlord_chat, "2"),
                               day("2026-06-01", landlord_chat, "4")});
  std::vector<std::string> texts;
  for (const auto& step : steps.steps) texts.push_back(step.name + " " + domain::to_string(step.cost));
  EXPECT_THAT(texts,
              ElementsAre("2026-01 3", "2026-02 0", "2026-03 0", "2026-04 0", "2026-05 0", "2026-06 4"));
}

TEST(UsageChart, StacksTheFeaturesOfADay) {
  const auto chart =
      usage_chart(steps_of(period("2026-02-28", "2026-03-01"),
                           {day("2026-02-28", landlord_chat, "3"), day("2026-02-28", faq_generation, "1"),
                            day("2026-03-01", landlord_chat, "2")}));
  EXPECT_THAT(matches(chart, "<rect class=\"(series-\\d)\""),
              ElementsAre("series-1", "series-4", "series-1"));
  EXPECT_THAT(matches(chart, " y=\"([0-9.]+)\" width"), ElementsAre("72.0", "12.0", "132.0"));
  EXPECT_THAT(matches(chart, " height=\"([0-9.]+)\"><title>"), ElementsAre("180.0", "60.0", "120.0"));
  EXPECT_THAT(matches(chart, "<title>([^<]+)<"),
              ElementsAre("2026-02-28, Landlord chat: 3", "2026-02-28, FAQ generation: 1",
                          "2026-03-01, Landlord chat: 2"));
  EXPECT_THAT(matches(chart, "text-anchor=\"end\">([^<]+)<"), ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_THAT(chart, Not(HasSubstr("style=")));
}

TEST(UsageChart, WritesSmallCostsWithoutAnExponent) {
  const auto chart = usage_chart(
      steps_of(period("2026-03-01", "2026-03-01"), {day("2026-03-01", landlord_chat, "0.00007")}));
  EXPECT_THAT(matches(chart, "text-anchor=\"end\">([^<]+)<"),
              ElementsAre("0.00000", "0.00002", "0.00004", "0.00006", "0.00008"));
  EXPECT_THAT(chart, Not(HasSubstr("e-0")));
}

TEST(UsageChart, OmitsNamesOfManyDays) {
  const auto chart =
      usage_chart(steps_of(period("2026-01-01", "2026-03-31"), {day("2026-03-01", landlord_chat, "1")}));
  const auto names = matches(chart, ">(2026-[0-9-]+)</text>");
  EXPECT_LE(names.size(), 8U);
  EXPECT_GE(names.size(), 4U);
  EXPECT_EQ(names.back(), "2026-03-31");
}

TEST(UsageChart, IsDrawnWithoutCosts) {
  const auto chart = usage_chart(steps_of(period("2026-03-01", "2026-03-01"), {}));
  EXPECT_THAT(chart, HasSubstr("</svg>"));
  EXPECT_THAT(chart, Not(HasSubstr("nan")));
}

} // namespace roost::http::testing::usage_report_test
