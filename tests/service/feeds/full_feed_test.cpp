#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// GET /<prefix>/{landlordKey}/listings/full and GET /<prefix>/{landlordKey}/listings/{externalId}/full.
namespace roost::testing::full_feed_test {
using namespace std::chrono_literals;

ROOST_FOR_SQLITE(FullFeed);

const std::vector<std::string> marketplaces{"marketplace-a", "marketplace-b", "marketplace-c",
                                            "marketplace-d"};
const std::string bulk = "/casa-verde/listings/full";

std::string single(const std::string& id) { return "/casa-verde/listings/" + id + "/full"; }

std::string missing(const std::string& platform, const std::string& id) {
  return not_found("Listing not found for " + platform + " with externalId " + id);
}

/// Returns the pointer to the first listing of the marketplace's bulk response.
std::string first_in(const std::string& platform) {
  return platform == "marketplace-c" ? "/properties/0" : "/0";
}

/// Returns two landlords with units u1 and u2, whose Integration Emails differ only in case.
std::string with_second_landlord() {
  auto other = edited(portfolio_of(0),
                      {{"/accounts/0/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002")"},
                       {"/accounts/0/landlordKey", R"("porta-do-sol")"},
                       {"/accounts/0/users", "[]"},
                       {"/accounts/0/platformCards/0/integrationEmail", R"("Feeds@CasaVerde.example")"},
                       {"/accounts/0/properties/0/id", R"("33333333-0000-4000-8000-000000000002")"},
                       {"/accounts/0/properties/0/units", "[" + unit_json(2) + "]"}});
  return edited(portfolio_of(1), {{"/accounts/1", json_at(other, "/accounts/0")}});
}

TEST_P(FullFeed, ContainsLinkedAndUnlinkedUnitsOfTheLandlord) {
  workplace place(GetParam());
  place.import(portfolio_of(3, {{unit_pointer(1) + "/links", "[]"}}));
  const running_roost server(place);
  const std::map<std::string, std::string> id_field{{"marketplace-a", "/reference_id"},
                                                    {"marketplace-b", "/listingReference"},
                                                    {"marketplace-c", "/id"},
                                                    {"marketplace-d", "/id"}};
  for (const auto& platform : marketplaces) {
    const auto response = server.partner_of(platform).get(bulk);
    EXPECT_EQ(response.status, 200U) << platform;
    EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
    const auto list = platform == "marketplace-c" ? json_at(response.body, "/properties") : response.body;
    ASSERT_EQ(array_size(list), 3U) << platform;
    std::set<std::string> ids;
    for (int i = 0; i < 3; ++i) ids.insert(json_at(list, "/" + std::to_string(i) + id_field.at(platform)));
    EXPECT_EQ(ids, (std::set<std::string>{R"("u1")", '"' + unit_id(2) + '"', R"("u3")"})) << platform;
  }
}

TEST_P(FullFeed, ReturnsTheSameListingInSingleAndBulkReads) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  for (const auto& platform : marketplaces) {
    const auto partner = server.partner_of(platform);
    const auto response = partner.get(single("u1"));
    EXPECT_EQ(response.status, 200U) << platform;
    EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
    EXPECT_EQ(response.body, json_at(partner.get(bulk).body, first_in(platform))) << platform;
  }
}

TEST_P(FullFeed, OmitsUnqualifiedUnitsAndGivesTheReasonInSingleReads) {
  workplace place(GetParam());
  place.import(portfolio_of(5, {{unit_pointer(1) + "/excludedFrom", R"(["marketplace-a"])"},
                                {unit_pointer(2) + "/archived", "true"},
                                {unit_pointer(3) + "/rent/amount", "0"},
                                {unit_pointer(4) + "/links", "[]"}}));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  EXPECT_EQ(array_size(partner.get(bulk).body), 2U); // u1, and the fifth by its UUID
  for (const std::string id : {"u2", "u3", "u5", "nobody"}) {
    const auto response = partner.get(single(id));
    EXPECT_EQ(response.status, 404U) << id;
    EXPECT_EQ(response.body, missing("marketplace-a", id));
  }
  EXPECT_EQ(partner.get(single("u4")).body, not_found("Listing not available"));
  EXPECT_EQ(partner.get(single(unit_id(5))).status, 200U);
  EXPECT_EQ(partner.get(single(unit_id(1))).body,
            missing("marketplace-a", unit_id(1))); // linked under another ID
}

TEST_P(FullFeed, IsLimitedToItsRegionsForMarketplaceD) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{property_pointer + "/address/city", R"("Reykjavík")"}}));
  const running_roost server(place);
  EXPECT_EQ(server.partner_of("marketplace-d").get(bulk).body, "[]");
  EXPECT_EQ(server.partner_of("marketplace-d").get(single("u1")).body,
            not_found("Listing not available: region is not supported"));
  EXPECT_EQ(array_size(server.partner_of("marketplace-a").get(bulk).body), 1U);
}

TEST_P(FullFeed, IsFoundByKeyOrByASharedIntegrationEmail) {
  workplace place(GetParam());
  place.import(with_second_landlord());
  const running_roost server(place);
  const auto a = server.partner_of("marketplace-a"), b = server.partner_of("marketplace-b");
  EXPECT_EQ(array_size(a.get(bulk).body), 1U);
  EXPECT_EQ(array_size(a.get("/feeds@casaverde.example/listings/full").body), 2U);
  EXPECT_EQ(array_size(a.get("/FEEDS%40casaverde.EXAMPLE/listings/full").body), 2U);
  EXPECT_EQ(a.get("/Casa-Verde/listings/full").body, "[]");              // the key is case-sensitive
  EXPECT_EQ(b.get("/feeds@casaverde.example/listings/full").body, "[]"); // another platform's card
  EXPECT_EQ(a.get("/feeds@casaverde.example/listings/u2/full").status, 200U);
  EXPECT_EQ(a.get(single("u2")).body, missing("marketplace-a", "u2")); // a unit of the other landlord
}

TEST_P(FullFeed, IsEmptyWithoutSingleListingsForAnUnknownLandlord) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  for (const auto& platform : marketplaces) {
    const auto partner = server.partner_of(platform);
    const auto response = partner.get("/nobody/listings/full");
    EXPECT_EQ(response.status, 200U);
    EXPECT_EQ(response.body, platform == "marketplace-c" ? R"({"properties":[]})" : "[]");
    EXPECT_EQ(partner.get("/nobody/listings/u1/full").body, missing(platform, "u1"));
    for (const std::string blank : {"%20", "%09%0A", "+"}) {
      const auto refused = partner.get("/" + blank + "/listings/full");
      if (blank == "+") {
        EXPECT_EQ(refused.status, 200U); // in a path, a plus is not a space
        continue;
      }
      EXPECT_EQ(refused.status, 400U);
      EXPECT_EQ(refused.body, bad_request("landlordKey must be a non-empty value"));
      EXPECT_EQ(partner.get("/" + blank + "/listings/u1/full").body, refused.body);
    }
  }
}

TEST_P(FullFeed, IsServedOnlyOnMarketplacesAToDWithTheirTokens) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  for (const std::string platform :
       {"booking-engine", "channel-manager", "room-sharing", "student-housing", "landlord-one"})
    EXPECT_EQ(server.partner_of(platform).get(bulk).body, not_found("Cannot GET /" + platform + bulk));
  for (const auto& platform : marketplaces)
    for (const auto& path : {bulk, single("u1")}) {
      EXPECT_EQ(send_request(server.port(), "GET", "/" + platform + path).status, 401U);
      EXPECT_EQ(server.partner_of(platform).post(path, "{}").status, 404U);
    }
}

TEST_P(FullFeed, HasATagForEachEncoding) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-b");
  const auto plain = partner.get(bulk), packed = partner.get(bulk, {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(packed.header("content-encoding"), "gzip");
  EXPECT_NE(plain.header("etag"), "");
  EXPECT_NE(plain.header("etag"), packed.header("etag"));
  EXPECT_EQ(partner.get(bulk, {{"If-None-Match", plain.header("etag")}}).status, 304U);
}

TEST_P(FullFeed, ShowsANewBookingImmediatelyInTheSingleReadAndLaterInTheBulkRead) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place, started::serving, {"--set", "bookings.cycle=1s"});
  const auto partner = server.partner_of("marketplace-a");
  const auto before = partner.get(bulk).body;
  EXPECT_EQ(json_at(before, "/0/blocked_periods"), "[]");
  ASSERT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(
      eventually([&] { return json_at(partner.get(single("u1")).body, "/blocked_periods") != "[]"; }));
  EXPECT_EQ(json_at(partner.get(single("u1")).body, "/blocked_periods"),
            R"([{"from":")" + day_from_now(30) + R"(","to":")" + day_from_now(59) + R"("}])");
  EXPECT_EQ(partner.get(bulk).body, before); // bulk reads may lag by ten minutes
}

TEST_P(FullFeed, ShowsAChangedPortfolioImmediately) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  EXPECT_EQ(json_at(partner.get(bulk).body, "/0/property_description"), "{}");
  place.import(portfolio_of(1, {{property_pointer + "/description", R"({"en":"Bright"})"}}));
  EXPECT_TRUE(eventually(
      [&] { return json_at(partner.get(bulk).body, "/0/property_description") == R"({"en":"Bright"})"; }));
  EXPECT_EQ(json_at(partner.get(single("u1")).body, "/property_description"), R"({"en":"Bright"})");
}

TEST_P(FullFeed, FindsALinkedHouseByTheIdOfARoomForMarketplaceD) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-d");
  EXPECT_EQ(partner.get(single("u1_7")).body, partner.get(single("u1")).body);
  EXPECT_EQ(server.partner_of("marketplace-a").get(single("u1_7")).status, 404U);
}

TEST_P(FullFeed, PrefersTheExactlyLinkedUnitForMarketplaceD) {
  workplace place(GetParam());
  const auto linked = [](const std::string& id) {
    return R"([{"platform":"marketplace-d","externalId":")" + id + R"("}])";
  };
  place.import(portfolio_of(
      2, {{unit_pointer(0) + "/links", linked("12")}, {unit_pointer(1) + "/links", linked("12_7")}}));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-d");
  EXPECT_EQ(json_at(partner.get(single("12_7")).body, "/room/id"), R"("7")");
  EXPECT_EQ(json_at(partner.get(single("12_8")).body, "/room/id"), '"' + unit_id(1) + '"');
}

} // namespace roost::testing::full_feed_test
