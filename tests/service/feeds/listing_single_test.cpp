#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// GET /<prefix>/listings/{externalId}.
namespace roost::testing::listing_single_test {
using namespace std::chrono_literals;

ROOST_FOR_SQLITE(ListingSingle);

std::string missing(const std::string& platform, const std::string& id) {
  return not_found("Listing not found for " + platform + " with externalId " + id);
}

TEST_P(ListingSingle, EqualsTheObjectInTheList) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  const running_roost server(place);
  for (const auto* platform : {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d",
                               "booking-engine", "channel-manager", "room-sharing", "student-housing"}) {
    const auto partner = server.partner_of(platform);
    const auto response = partner.get("/listings/u2");
    EXPECT_EQ(response.status, 200U) << platform;
    EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
    EXPECT_EQ(json_at(partner.get("/listings").body, "/1"), response.body) << platform;
  }
}

TEST_P(ListingSingle, ShowsBlocksThatTheListOmits) {
  workplace place(GetParam());
  place.import(portfolio_of(
      1, {{unit_pointer(0) + "/blocks",
           R"([{"from":"2001-01-01","to":"2001-01-31","source":"manual"},{"from":")" + day_from_now(-3) +
               R"(","to":")" + day_from_now(0) + R"(","source":"manual"}])"}}));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const auto single = partner.get("/listings/u1").body, list = partner.get("/listings").body;
  EXPECT_EQ(json_at(single, "/unavailabilities/0/to"), R"("2001-01-31")");
  EXPECT_EQ(json_at(single, "/unavailabilities/1/to"), '"' + day_from_now(0) + '"');
  EXPECT_EQ(json_at(list, "/0/unavailabilities/0/from"), '"' + day_from_now(-3) + '"'); // ends today
  EXPECT_EQ(json_at(list, "/0/unavailabilities/1"), "");
}

TEST_P(ListingSingle, IsRefusedWithAReasonForUnitsOutsideTheList) {
  workplace place(GetParam());
  const auto units = portfolio_of(6, {{unit_pointer(1) + "/excludedFrom", R"(["marketplace-a"])"},
                                      {unit_pointer(2) + "/archived", "true"},
                                      {unit_pointer(3) + "/rent/amount", "0"},
                                      {unit_pointer(4) + "/links", "[]"},
                                      // both: the exclusion takes precedence
                                      {unit_pointer(5) + "/excludedFrom", R"(["marketplace-a"])"},
                                      {unit_pointer(5) + "/rent/amount", "0"}});
  place.import(units);
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  for (const std::string id : {"u2", "u3", "u5", "u6", "u7", "U1", "null", "listings"}) {
    const auto response = partner.get("/listings/" + id);
    EXPECT_EQ(response.status, 404U) << id;
    EXPECT_EQ(response.body, missing("marketplace-a", id));
  }
  EXPECT_EQ(partner.get("/listings/u4").status, 404U);
  EXPECT_EQ(partner.get("/listings/u4").body, not_found("Listing not available"));
  EXPECT_EQ(partner.get("/listings/" + unit_id(1)).body, missing("marketplace-a", unit_id(1)));

  place.import(edited(units, {{property_pointer + "/archived", "true"}}));
  EXPECT_TRUE(
      eventually([&] { return partner.get("/listings/u1").body == missing("marketplace-a", "u1"); }, 1s));
}

TEST_P(ListingSingle, AcceptsAnyTextAsAnId) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  for (const auto& [sent, shown] : std::map<std::string, std::string>{
           {std::string(256, 'x'), std::string(256, 'x')},
           {std::string(300, 'x'), std::string(300, 'x')},
           {"%E2%82%AC", "€"},
           {"%22%5C", R"(\"\\)"},
           {"%00%0A%1F", R"(\u0000\n\u001F)"},
           {"%3Cscript%3E", "<script>"},
           {"..%2F..%2Fetc%2Fpasswd", "../../etc/passwd"},
           {"u1'%20or%20'1'='1", "u1' or '1'='1"},
       }) {
    const auto response = partner.get("/listings/" + sent);
    EXPECT_EQ(response.status, 404U) << sent;
    EXPECT_EQ(response.body, missing("marketplace-a", shown));
  }
}

TEST_P(ListingSingle, RequiresAnAcceptedRegionForMarketplaceD) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{property_pointer + "/address/city", R"("Sevilla")"}}));
  const running_roost server(place);
  const auto on_d = server.partner_of("marketplace-d");
  EXPECT_EQ(on_d.get("/listings/u1").status, 404U);
  EXPECT_EQ(on_d.get("/listings/u1").body, not_found("Listing not available: region is not supported"));
  EXPECT_EQ(server.partner_of("marketplace-c").get("/listings/u1").status, 200U);

  place.import(portfolio_of(1, {{property_pointer + "/address/city", R"("LISBON")"}}));
  EXPECT_TRUE(eventually([&] { return on_d.get("/listings/u1").status == 200; }, 1s));
}

TEST_P(ListingSingle, IsFoundByTheIdOfARoomOnMarketplaceDAndTheEngine) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  for (const auto* platform : {"marketplace-d", "booking-engine"})
    EXPECT_EQ(json_at(server.partner_of(platform).get("/listings/u1_r7").body, "/externalId"), R"("u1")")
        << platform;
  EXPECT_EQ(server.partner_of("marketplace-c").get("/listings/u1_r7").body,
            missing("marketplace-c", "u1_r7"));
}

} // namespace roost::testing::listing_single_test
