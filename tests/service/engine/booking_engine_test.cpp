#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// The peculiarities of the booking engine's reads (Partner API, Booking-engine prefix).
namespace roost::testing::booking_engine_test {
using namespace std::chrono_literals;

ROOST_FOR_EACH_STORE(BookingEngine);

const std::string gone =
    R"({"statusCode":410,"message":"Gone: this account is served by the native booking engine","error":"GoneException"})";

/// Returns an account that has moved to the native engine and one that has not.
std::string moved_and_other() {
  const auto other = edited(portfolio_of(0), {{"/accounts/0/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002")"},
                                              {"/accounts/0/landlordKey", R"("porta-do-sol")"},
                                              {"/accounts/0/users", "[]"},
                                              {"/accounts/0/properties", "[]"}});
  return edited(portfolio_of(1), {{"/accounts/0/bookingEngine", R"({"native":true})"},
                                  {"/accounts/1", json_at(other, "/accounts/0")}});
}

TEST_P(BookingEngine, IsGoneForAMovedAccountOnEveryRouteWithItsKey) {
  workplace place(GetParam());
  place.import(moved_and_other());
  const auto moved = place.issue_account_key(account_id),
             other = place.issue_account_key("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002");
  const running_roost server(place);
  const auto engine = server.partner_of("booking-engine");
  const header_fields with_moved{{"svc-api-key", moved}};
  for (const auto* path : {"/listings", "/listings/u1", "/listings/nobody", "/listings/u1/housemates"}) {
    const auto response = engine.get(path, with_moved);
    EXPECT_EQ(response.status, 410U) << path;
    EXPECT_EQ(response.body, gone);
  }
  EXPECT_EQ(engine.post("/bookings", booking("u1", 30, 60), with_moved).body, gone);
  EXPECT_EQ(engine.put("/listing", listing_update("u1"), with_moved).body, gone);
  for (const auto* path : {"/bookings", "/property-listing"})
    EXPECT_EQ(engine.post(path, "no JSON", with_moved).body, gone); // before the body is read
  for (const auto& key : {other, std::string{"nobody's"}, std::string{}})
    EXPECT_EQ(engine.get("/listings/u1", {{"svc-api-key", key}}).status, 200U);
  EXPECT_EQ(engine.get("/listings/u1").status, 200U);
  EXPECT_EQ(server.partner_of("marketplace-d").get("/listings/u1", with_moved).status, 200U);
}

TEST_P(BookingEngine, RequiresATokenBeforeItReportsAMovedAccount) {
  workplace place(GetParam());
  place.import(moved_and_other());
  const auto key = place.issue_account_key(account_id);
  const running_roost server(place);
  EXPECT_EQ(send_request(server.port(), "GET", "/booking-engine/listings", {{"svc-api-key", key}}).status,
            401U);
}

TEST_P(BookingEngine, AppliesKeysAndMovesWithoutARestart) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto engine = server.partner_of("booking-engine");
  const auto key = place.issue_account_key(account_id);
  const auto status = [&] { return engine.get("/listings/u1", {{"svc-api-key", key}}).status; };
  EXPECT_EQ(status(), 200U);
  place.import(portfolio_of(1, {{"/accounts/0/bookingEngine", R"({"native":true})"}}));
  EXPECT_TRUE(eventually([&] { return status() == 410; }));
  const auto list = place.run_or_throw({"key", "list"});
  place.run_or_throw({"key", "revoke", list.substr(0, list.find(' '))});
  EXPECT_TRUE(eventually([&] { return status() == 200; }));
}

TEST_P(BookingEngine, ShowsABookingInItsListImmediately) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place, started::serving, {"--set", "bookings.cycle=1s"});
  const auto engine = server.partner_of("booking-engine");
  EXPECT_EQ(json_at(engine.get("/listings").body, "/0/unavailabilities"), "[]");
  ASSERT_EQ(engine.post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(
      eventually([&] { return json_at(engine.get("/listings").body, "/0/unavailabilities") != "[]"; }));
  EXPECT_EQ(json_at(engine.get("/listings").body, "/0/unavailabilities/0/to"), '"' + day_from_now(59) + '"');
}

TEST_P(BookingEngine, BlocksTwoYearsAfterADistantLastBlock) {
  workplace place(GetParam());
  place.import(portfolio_of(
      1, {{"/accounts/0/platformCards/1", R"({"platform":"booking-engine","calendarBlockDays":30})"},
          {unit_pointer(0) + "/blocks", R"([{"from":")" + day_from_now(20) + R"(","to":")" +
                                            day_from_now(40) + R"(","source":"manual"}])"}}));
  const running_roost server(place);
  const auto engine = server.partner_of("booking-engine");
  const auto single = engine.get("/listings/u1").body;
  EXPECT_EQ(json_at(single, "/unavailabilities/1/from"), '"' + day_from_now(40) + '"');
  EXPECT_EQ(json_at(engine.get("/listings").body, "/0/unavailabilities/1/from"),
            '"' + day_from_now(40) + '"');
  EXPECT_EQ(json_at(single, "/unavailabilities/2"), "");
}

TEST_P(BookingEngine, ListsOnlyLinkedUnitsThatQualify) {
  workplace place(GetParam());
  place.import(portfolio_of(4, {{unit_pointer(1) + "/links", "[]"},
                                {unit_pointer(2) + "/excludedFrom", R"(["booking-engine"])"},
                                {unit_pointer(3) + "/rent/amount", "0"}}));
  const running_roost server(place);
  const auto engine = server.partner_of("booking-engine");
  const auto list = engine.get("/listings").body;
  EXPECT_EQ(array_size(list), 1U);
  EXPECT_EQ(json_at(list, "/0/externalId"), R"("u1")");
}

} // namespace roost::testing::booking_engine_test
