#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// The operator's view of full feeds: data missing from portfolios, and metrics.
namespace roost::testing::full_feed_report_test {
ROOST_FOR_SQLITE(FullFeedReport);

const std::string bulk = "/casa-verde/listings/full";

const std::string whole_address =
    R"({"street":"Calle Mayor","number":"12","postalCode":"28013","city":"Madrid","countryCode":"ES",)"
    R"("latitude":40.4,"longitude":-3.7})";

/// Reads a marketplace's full list and returns the event about its gaps.
event_fields gaps_of(const running_roost& server, const std::string& platform) {
  EXPECT_EQ(server.partner_of(platform).get(bulk).status, 200U);
  server.wait_for_event("full_feed_built", {{"platform", platform}});
  return server.wait_for_event("full_feed_gaps", {{"platform", platform}}).fields;
}

TEST_P(FullFeedReport, NamesUnitsWithMissingData) {
  workplace place(GetParam());
  place.import(portfolio_of(
      8, {{unit_pointer(1) + "/rent", R"({"fixed":false,"perMonth":[{"month":1,"rent":600}]})"},
          {unit_pointer(2) + "/rent/amount", "0"},
          {unit_pointer(3) + "/archived", "true"},
          {unit_pointer(4) + "/excludedFrom", R"(["marketplace-b"])"},
          {property_pointer + "/address", R"({"street":"Calle Mayor","number":"12","city":"Madrid"})"}}));
  running_roost server(place);
  // Unit 4 is archived and unit 5 is excluded from marketplace B: omitting them is intended.
  const auto first = unit_id(1) + "," + unit_id(2) + "," + unit_id(3) + ",";
  EXPECT_EQ(gaps_of(server, "marketplace-b"),
            (event_fields{{"platform", "marketplace-b"},
                          {"units", "6"},
                          {"no_rent", "1"},
                          {"region_not_accepted", "0"},
                          {"address", "5"},
                          {"coordinates", "5"},
                          {"month_price", "1"},
                          {"first", first + unit_id(6) + "," + unit_id(7)}}));
  EXPECT_EQ(gaps_of(server, "marketplace-a"),
            (event_fields{{"platform", "marketplace-a"},
                          {"units", "7"},
                          {"no_rent", "1"},
                          {"region_not_accepted", "0"},
                          {"address", "6"},
                          {"coordinates", "6"},
                          {"month_price", "0"},
                          {"first", first + unit_id(5) + "," + unit_id(6)}}));
}

TEST_P(FullFeedReport, NamesUnitsInUnsupportedCities) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{property_pointer + "/address", R"({"city":"Atlantis"})"}}));
  running_roost server(place);
  EXPECT_EQ(gaps_of(server, "marketplace-d"), (event_fields{{"platform", "marketplace-d"},
                                                            {"units", "1"},
                                                            {"no_rent", "0"},
                                                            {"region_not_accepted", "1"},
                                                            {"address", "0"},
                                                            {"coordinates", "0"},
                                                            {"month_price", "0"},
                                                            {"first", unit_id(1)}}));
}

TEST_P(FullFeedReport, IsLoggedOncePerBuildAndOnlyForGaps) {
  workplace place(GetParam());
  place.import(portfolio_of(2, {{property_pointer + "/address", whole_address}}));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(partner.get(bulk).status, 200U);
  place.import(portfolio_of(2)); // the address is now only a city
  for (int i = 0; i < 3; ++i) EXPECT_EQ(partner.get(bulk).status, 200U);
  EXPECT_EQ(server.stop(), 0);
  EXPECT_GE(server.events("full_feed_built").size(), 2U);
  EXPECT_EQ(server.events("full_feed_gaps").size(), 1U);
}

TEST_P(FullFeedReport, ProvidesMetricsForEachPlatform) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  running_roost server(place);
  const auto body = server.partner_of("marketplace-c").get(bulk).body;
  EXPECT_EQ(server.metric(R"(roost_full_feeds{platform="marketplace-c"})"), 1);
  EXPECT_EQ(server.metric(R"(roost_full_feed_units{platform="marketplace-c"})"), 3);
  EXPECT_EQ(server.metric(R"(roost_full_feed_bytes{encoding="identity",platform="marketplace-c"})"),
            body.size());
  EXPECT_EQ(server.metric("roost_full_feed_build_seconds_count"), 1);
  EXPECT_GE(server.metric(R"(roost_full_feed_age_seconds{platform="marketplace-c"})").value_or(-1), 0);
  EXPECT_EQ(server.metric(R"(roost_full_feeds{platform="marketplace-a"})"), 0);
  EXPECT_EQ(server.metric(R"(roost_full_feeds{platform="booking-engine"})"),
            std::nullopt); // it has no full feed
}

} // namespace roost::testing::full_feed_report_test
