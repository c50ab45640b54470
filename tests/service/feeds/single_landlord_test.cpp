#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// Feeds of a single landlord: a prefix bound to one account, with its own token.
namespace roost::testing::single_landlord_test {
using namespace std::chrono_literals;

ROOST_FOR_SQLITE(SingleLandlord);

const std::string not_configured = error_body(503, "This integration is not configured yet. Contact support.",
                                              "ServiceUnavailableException");

/// Returns Casa Verde with a linked and an unlinked unit, and another landlord with one unit.
std::string two_landlords() {
  auto portfolio = portfolio_of(
      2, {{unit_pointer(0) + "/links/-", R"({"platform":"landlord-one","externalId":"room-one"})"},
          {unit_pointer(1) + "/links", "[]"}});
  const auto other = edited(json_at(portfolio_of(1), account_pointer),
                            {{"/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0009")"},
                             {"/landlordKey", R"("other")"},
                             {"/users", "[]"},
                             {"/properties/0/id", R"("33333333-0000-4000-8000-000000000009")"},
                             {"/properties/0/units/0/id", '"' + unit_id(9) + '"'}});
  return edited(portfolio, {{"/accounts/-", other}});
}

TEST_P(SingleLandlord, ListsLinkedAndUnlinkedUnitsOfTheAccount) {
  workplace place(GetParam());
  place.import(two_landlords());
  const running_roost server(place);
  const auto list = server.partner_of("landlord-one").get("/listings").body;
  ASSERT_EQ(array_size(list), 2U);
  EXPECT_EQ(json_at(list, "/0/externalId"), R"("room-one")");
  EXPECT_EQ(json_at(list, "/0/listingInternalName"), R"("Room 1")");
  EXPECT_EQ(json_at(list, "/1/externalId"), '"' + unit_id(2) + '"');
  EXPECT_EQ(json_at(list, "/1/listingInternalName"), R"("Room 2")");
}

TEST_P(SingleLandlord, OmitsUnitsThatOtherFeedsOmit) {
  workplace place(GetParam());
  place.import(portfolio_of(4, {{unit_pointer(0) + "/excludedFrom", R"(["landlord-one"])"},
                                {unit_pointer(1) + "/archived", "true"},
                                {unit_pointer(2) + "/rent/amount", "0"}}));
  const running_roost server(place);
  const auto partner = server.partner_of("landlord-one");
  EXPECT_EQ(array_size(partner.get("/listings").body), 1U);
  EXPECT_EQ(json_at(partner.get("/listings").body, "/0/externalId"), '"' + unit_id(4) + '"');
  for (const unsigned number : {1U, 2U})
    EXPECT_EQ(partner.get("/listings/" + unit_id(number)).body,
              not_found("Listing not found for landlord-one with listingId " + unit_id(number)));
  EXPECT_EQ(partner.get("/listings/" + unit_id(3)).body, not_found("Listing not available"));
  for (const unsigned number : {1U, 2U})
    EXPECT_EQ(partner.post("/bookings", booking(unit_id(number), 30, 60)).body,
              not_found("Listing not found for landlord-one with listingId " + unit_id(number)));
  EXPECT_EQ(partner.post("/bookings", booking(unit_id(3), 30, 60)).body, not_found("Listing not available"));
}

TEST_P(SingleLandlord, ReadsAUnitOnlyByItsUuid) {
  workplace place(GetParam());
  place.import(two_landlords());
  const running_roost server(place);
  const auto partner = server.partner_of("landlord-one");
  EXPECT_EQ(json_at(partner.get("/listings/" + unit_id(1)).body, "/externalId"), R"("room-one")");
  EXPECT_EQ(json_at(partner.get("/listings/" + unit_id(2)).body, "/externalId"), '"' + unit_id(2) + '"');
  for (const std::string& id : {std::string("room-one"), std::string("u1"), unit_id(9), unit_id(77)}) {
    const auto response = partner.get("/listings/" + id);
    EXPECT_EQ(response.status, 404U) << id;
    EXPECT_EQ(response.body, not_found("Listing not found for landlord-one with listingId " + id));
  }
}

TEST_P(SingleLandlord, IsNotConfiguredWithoutAnAccount) {
  workplace place(GetParam());
  place.import(two_landlords());
  const running_roost server(place);
  // landlord-four is bound to no account; the account of landlord-two was not imported.
  for (const auto* platform : {"landlord-four", "landlord-two"}) {
    const auto partner = server.partner_of(platform);
    const std::string prefix = std::string("/") + platform;
    for (const auto& response :
         {partner.get("/listings"), partner.get("/listings/" + unit_id(1)), partner.post("/bookings", "{"),
          send_request(server.port(), "GET", prefix + "/listings"),
          send_request(server.port(), "GET", prefix + "/listings/x", {{"Authorization", "Bearer nonsense"}}),
          send_request(server.port(), "POST", prefix + "/bookings", {{"Content-Type", "text/plain"}}, "x")}) {
      EXPECT_EQ(response.status, 503U) << platform;
      EXPECT_EQ(response.body, not_configured);
      EXPECT_EQ(response.header("retry-after"), ""); // retrying does not help
    }
    EXPECT_EQ(partner.get("/other").body, not_found("Cannot GET " + prefix + "/other"));
  }
}

TEST_P(SingleLandlord, IsConfiguredOnceItsAccountIsImported) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto partner = server.partner_of("landlord-one");
  EXPECT_EQ(partner.get("/listings").body, not_configured);
  place.import(portfolio_of(1));
  EXPECT_TRUE(eventually(
      [&] {
        const auto response = partner.get("/listings");
        return response.status == 200 && array_size(response.body) == 1;
      },
      1s));
}

TEST_P(SingleLandlord, ValidatesTheUnitOfABookingImmediately) {
  workplace place(GetParam());
  place.import(two_landlords());
  const running_roost server(place);
  const auto partner = server.partner_of("landlord-one");
  EXPECT_EQ(partner.post("/bookings", booking("room-one", 30, 60)).status, 201U);
  EXPECT_EQ(partner.post("/bookings", booking(unit_id(1), 70, 90)).status, 201U);
  EXPECT_EQ(partner.post("/bookings", booking(unit_id(2), 30, 60)).status, 201U);
  for (const auto& id : {unit_id(9), unit_id(77)}) {
    const auto response = partner.post("/bookings", booking(id, 30, 60));
    EXPECT_EQ(response.status, 404U);
    EXPECT_EQ(response.body, not_found("Listing not found for landlord-one with listingId " + id));
  }
  EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60)).body,
            not_found("Listing not found for landlord-one with externalId u1"));
  // Errors of the body take precedence.
  EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60, {{"/tenant", "{}"}})).body,
            bad_request("tenant must be a non-empty object"));
}

} // namespace roost::testing::single_landlord_test
