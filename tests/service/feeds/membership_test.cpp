#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

/// The units of a partial feed on every kind of platform.
namespace roost::testing::membership_test {
using ::testing::ElementsAre;

ROOST_FOR_SQLITE(Membership);

const std::vector<std::string> shared_platforms{"marketplace-a", "marketplace-b",  "marketplace-c",
                                                "marketplace-d", "booking-engine", "channel-manager",
                                                "room-sharing",  "student-housing"};

std::vector<std::string> ids_on(const running_roost& server, const std::string& platform) {
  const auto list = server.partner_of(platform).get("/listings").body;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < array_size(list); ++i) {
    const auto id = json_at(list, "/" + std::to_string(i) + "/externalId");
    ids.push_back(id.substr(1, id.size() - 2));
  }
  return ids;
}

std::string excluded_everywhere() {
  std::string names = R"(["landlord-one")";
  for (const auto& platform : shared_platforms) names += ",\"" + platform + '"';
  return names + ']';
}

/// Returns a portfolio where u1, u8 and u9 satisfy every rule, u2 is not linked, and each other unit violates
/// another rule.
std::string unit_per_rule() {
  return portfolio_of(
      9, {{unit_pointer(1) + "/links", "[]"},
          {unit_pointer(2) + "/excludedFrom", excluded_everywhere()},
          {unit_pointer(3) + "/archived", "true"},
          {unit_pointer(4) + "/rent/amount", "0"},
          {unit_pointer(5) + "/rent", R"({"fixed":false,"perMonth":[]})"},
          {unit_pointer(6) + "/rent",
           R"({"fixed":false,"perMonth":[{"month":1,"rent":900},{"month":2,"rent":0}]})"},
          {account_pointer + "/properties/-",
           R"({"id":"33333333-0000-4000-8000-000000000002","internalName":"Old house","archived":true,)"
           R"("address":{"city":"Madrid"},"units":[)" +
               unit_json(10) + "]}"},
          {unit_pointer(7) + "/rent", R"({"fixed":false,"perMonth":[{"month":7,"rent":0.01}]})"}});
}

TEST_P(Membership, RequiresEveryRuleOnEverySharedPlatform) {
  workplace place(GetParam());
  place.import(unit_per_rule());
  const running_roost server(place);
  for (const auto& platform : shared_platforms) {
    EXPECT_THAT(ids_on(server, platform), ElementsAre("u1", "u8", "u9")) << platform;
    const auto partner = server.partner_of(platform);
    for (const std::string id : {"u2", "u3", "u4", "u10"})
      EXPECT_EQ(partner.get("/listings/" + id).body,
                not_found("Listing not found for " + platform + " with externalId " + id));
    for (const std::string id : {"u5", "u6", "u7"})
      EXPECT_EQ(partner.get("/listings/" + id).body, not_found("Listing not available")) << platform;
    for (const std::string id : {"u1", "u8", "u9"})
      EXPECT_EQ(partner.get("/listings/" + id).status, 200U) << platform;
  }
}

TEST_P(Membership, RequiresNoLinkInASingleLandlordFeed) {
  workplace place(GetParam());
  place.import(unit_per_rule());
  const running_roost server(place);
  EXPECT_THAT(ids_on(server, "landlord-one"), ElementsAre(unit_id(1), unit_id(2), unit_id(8), unit_id(9)));
  const auto partner = server.partner_of("landlord-one");
  for (const unsigned number : {3U, 4U, 10U})
    EXPECT_EQ(partner.get("/listings/" + unit_id(number)).body,
              not_found("Listing not found for landlord-one with listingId " + unit_id(number)));
  for (const unsigned number : {5U, 6U, 7U})
    EXPECT_EQ(partner.get("/listings/" + unit_id(number)).body, not_found("Listing not available"));
}

TEST_P(Membership, DiffersByPlatform) {
  workplace place(GetParam());
  std::vector<edit> edits;
  for (unsigned i = 0; i < shared_platforms.size(); ++i)
    edits.push_back({unit_pointer(i) + "/excludedFrom", "[\"" + shared_platforms[i] + "\"]"});
  place.import(portfolio_of(8, edits));
  const running_roost server(place);
  for (unsigned i = 0; i < shared_platforms.size(); ++i) {
    const auto ids = ids_on(server, shared_platforms[i]);
    EXPECT_EQ(ids.size(), 7U) << shared_platforms[i];
    EXPECT_EQ(std::ranges::count(ids, "u" + std::to_string(i + 1)), 0) << shared_platforms[i];
  }
  EXPECT_EQ(ids_on(server, "landlord-one").size(), 8U);
}

} // namespace roost::testing::membership_test
