#include "service/support/webhook_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// An ID linked by two landlords, where one of the units is excluded or archived and therefore counts as not
/// linked.
namespace roost::testing::withheld_units_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ROOST_FOR_EACH_STORE(WithheldUnits);

const std::string second_account_id = "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002";

/// Returns Casa Verde with u1, with edits, and Casa Roja, whose unit is also u1 on every platform and was
/// created later.
std::string two_landlords(const std::vector<edit>& edits) {
  const auto other =
      edited(portfolio_of(1), {{account_pointer + "/id", '"' + second_account_id + '"'},
                               {account_pointer + "/landlordKey", R"("casa-roja")"},
                               {account_pointer + "/users", "[]"},
                               {property_pointer + "/id", R"("33333333-0000-4000-8000-000000000002")"},
                               {unit_pointer(0) + "/id", '"' + unit_id(9) + '"'},
                               {unit_pointer(0) + "/rent/amount", "900"}});
  return edited(portfolio_of(1, edits), {{"/accounts/1", json_at(other, "/accounts/0")}});
}

/// The edits that withhold Casa Verde's unit.
const std::vector<edit> ways_to_withhold{
    {unit_pointer(0) + "/archived", "true"},
    {property_pointer + "/archived", "true"},
    {unit_pointer(0) + "/excludedFrom",
     R"(["marketplace-a","marketplace-d","booking-engine","channel-manager"])"}};

TEST_P(WithheldUnits, YieldTheirIdToTheLiveUnit) {
  for (const auto& withheld : ways_to_withhold) {
    webhook_fixture fixture(GetParam(), two_landlords({withheld}));
    for (const auto* platform : {"marketplace-a", "marketplace-d", "booking-engine", "channel-manager"}) {
      const auto read = fixture.server->partner_of(platform).get("/listings/u1");
      EXPECT_EQ(read.status, 200U) << platform << ' ' << withheld.pointer;
      EXPECT_EQ(json_at(read.body, "/rent"), "900") << platform;
    }
    EXPECT_EQ(fixture.send_as_a().body, ok) << withheld.pointer;
    EXPECT_EQ(fixture.server->partner_of("channel-manager").post("/bookings", booking("u1", 30, 60)).status,
              201U);
    EXPECT_THAT(fixture.decided_requests(2, "state", 1), ElementsAre("Success", "Success"));
    EXPECT_THAT(fixture.bookings("cast(b.account_id as text)", 1),
                ElementsAre(second_account_id, second_account_id));
    EXPECT_THAT(fixture.place.mails(), IsEmpty());
    const auto engine = fixture.server->partner_of("booking-engine");
    EXPECT_EQ(engine.put("/listing", listing_update("u1")).status, 200U) << withheld.pointer;
    EXPECT_EQ(json_at(engine.get("/listings/u1").body, "/rent"), "700");
    EXPECT_EQ(engine.get("/listings/u1/housemates").status, 200U);
  }
}

/// Returns the edit that links both units: the first under the property's ID, the second under a room's.
edit links_of(int unit, const std::string& id) {
  const auto link = [&](const std::string& platform) {
    return R"({"platform":")" + platform + R"(","externalId":")" + id + R"("})";
  };
  return {unit_pointer(unit) + "/links", "[" + link("marketplace-d") + "," + link("booking-engine") + "]"};
}

TEST_P(WithheldUnits, KeepTheirIdFromTheUnitOfTheirWholeProperty) {
  const edit ways[]{{unit_pointer(1) + "/archived", "true"},
                    {unit_pointer(1) + "/excludedFrom", R"(["marketplace-d","booking-engine"])"}};
  for (const auto& withheld : ways) {
    webhook_fixture fixture(GetParam(),
                            portfolio_of(2, {links_of(0, "2n15c"), links_of(1, "2n15c_n189"), withheld}));
    for (const auto* platform : {"marketplace-d", "booking-engine"}) {
      const auto partner = fixture.server->partner_of(platform);
      EXPECT_EQ(partner.get("/listings/2n15c_n189").status, 404U) << platform << ' ' << withheld.pointer;
      EXPECT_EQ(partner.get("/listings/2n15c_n190").status, 200U) << platform;
      EXPECT_EQ(partner.post("/bookings", booking("2n15c_n189", 30, 60)).status, 201U);
    }
    EXPECT_THAT(fixture.decided_requests(2, "state", 1), ElementsAre("Failed", "Failed"));
    EXPECT_EQ(fixture.server->partner_of("marketplace-d").get("/casa-verde/listings/2n15c_n189/full").status,
              404U);
    const auto engine = fixture.server->partner_of("booking-engine");
    EXPECT_EQ(engine.put("/listing", listing_update("2n15c_n189")).status, 404U) << withheld.pointer;
    EXPECT_EQ(engine.get("/listings/2n15c_n189/housemates").status, 404U);
    EXPECT_EQ(json_at(engine.get("/listings/2n15c").body, "/rent"), "650");
    EXPECT_EQ(json_at(engine.get("/listings/2n15c").body, "/unavailabilities"), "[]");
  }
}

TEST_P(WithheldUnits, KeepTheirIdWhenAnImportOmitsThemBecauseTheyAreBooked) {
  const auto property = links_of(0, "2n15c"), room = links_of(1, "2n15c_n189");
  webhook_fixture fixture(GetParam(), portfolio_of(2, {property, room}));
  const auto partner = fixture.server->partner_of("marketplace-d");
  EXPECT_EQ(partner.post("/bookings", booking("2n15c_n189", 30, 60)).status, 201U);
  EXPECT_THAT(fixture.decided_requests(1, "state", 1), ElementsAre("Success"));
  fixture.place.import(portfolio_of(1, {property}));
  EXPECT_TRUE(eventually([&] { return partner.get("/listings/2n15c_n189").status == 404U; }));
  EXPECT_EQ(partner.get("/listings/2n15c").status, 200U);
  EXPECT_EQ(partner.post("/bookings", booking("2n15c_n189", 90, 120)).status, 201U);
  EXPECT_THAT(fixture.decided_requests(2, "state", 1), ElementsAre("Success", "Failed"));
  const edit moved = links_of(0, "2n15c_n189"); // the file may give the ID to another unit
  fixture.place.import(portfolio_of(1, {moved}));
  EXPECT_TRUE(eventually([&] { return partner.get("/listings/2n15c_n189").status == 200U; }));
}

TEST_P(WithheldUnits, CanBeCancelledOnWhileTheirIdIsShared) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a().body, ok);
  EXPECT_EQ(fixture.send_as_b().body, ok);
  EXPECT_THAT(fixture.decided_requests(2, "state", 1),
              ElementsAre("Success", "Failed")); // the nights are taken
  fixture.place.import(two_landlords({ways_to_withhold[0]}));
  ASSERT_TRUE(eventually([&] { return json_at(fixture.a->get("/listings/u1").body, "/rent") == "900"; }));
  const edit cancel{"/event", R"("booking-cancelled")"};
  EXPECT_EQ(fixture.send_as_a({cancel, {"/booking_id", "1"}}).body,
            R"({"ok":true,"message":"No active booking to cancel"})");
  EXPECT_EQ(fixture.send_as_a({cancel}).body, ok);
  EXPECT_THAT(fixture.bookings("cast(b.account_id as text), b.status", 2),
              ElementsAre(account_id + "|cancelled"));
}

TEST_P(WithheldUnits, PreventTheirBookingsFromBeingRepeatedOnTheLiveUnit) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a().body, ok);
  fixture.decided_requests(1, "state", 1);
  fixture.place.import(two_landlords({ways_to_withhold[0]}));
  ASSERT_TRUE(eventually([&] { return json_at(fixture.a->get("/listings/u1").body, "/rent") == "900"; }));
  EXPECT_EQ(fixture.send_as_a().body, R"({"ok":true,"message":"Booking already recorded"})");
  EXPECT_EQ(fixture.send_as_a({{"/event", R"("booking-cancelled")"}}).body, ok);
  EXPECT_EQ(fixture.send_as_a().body, ok); // the queue drops it
  EXPECT_THAT(fixture.decided_requests(2, "state", 1), ElementsAre("Success", "Dropped"));
  EXPECT_EQ(fixture.unavailabilities_of("u1"), "[]");
}

TEST_P(WithheldUnits, AreNotFoundWhileAnotherLandlordsUnitIsLive) {
  webhook_fixture fixture(GetParam(), two_landlords({ways_to_withhold[0]}));
  EXPECT_EQ(fixture.a->get("/casa-verde/listings/u1/full").status, 404U);
  EXPECT_EQ(fixture.a->get("/casa-roja/listings/u1/full").status, 200U);
  EXPECT_EQ(fixture.send_as_b().status, 404U);
  EXPECT_EQ(fixture.send_as_b({}, "casa-roja").body, ok);
}

} // namespace roost::testing::withheld_units_test
