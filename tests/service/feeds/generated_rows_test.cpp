#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// Feed rows without a stored block (Partner API, Listing object, rules 8 and 9), in lists and single reads.
namespace roost::testing::generated_rows_test {
ROOST_FOR_SQLITE(GeneratedRows);

/// Returns the date two years after a day given relative to today.
std::string two_years_after(int days) {
  return domain::to_string(domain::add_months(*domain::parse_date(day_from_now(days)), 24));
}

std::string row(const std::string& from, const std::string& to, const std::string& reason) {
  return R"({"from":")" + from + R"(","to":")" + to + R"(","reason":")" + reason +
         R"(","createdAt":"<time>","updatedAt":"<time>"})";
}

edit blocked(int first, int last) {
  return {unit_pointer(0) + "/blocks", R"([{"from":")" + day_from_now(first) + R"(","to":")" +
                                           day_from_now(last) + R"(","source":"manual"}])"};
}

edit card(const std::string& platform, int block_days) {
  return {account_pointer + "/platformCards/-",
          R"({"platform":")" + platform + R"(","calendarBlockDays":)" + std::to_string(block_days) + "}"};
}

/// Returns u1 from a platform's list, and expects that its single read shows the same.
std::string listing_on(const running_roost& server, const std::string& platform) {
  const auto partner = server.partner_of(platform);
  auto listed = without_times_and_ids(json_at(partner.get("/listings").body, "/0"));
  EXPECT_EQ(without_times_and_ids(partner.get("/listings/u1").body), listed) << platform;
  return listed;
}

std::string rows_on(const running_roost& server, const std::string& platform) {
  return json_at(listing_on(server, platform), "/unavailabilities");
}

TEST_P(GeneratedRows, IncludeACalendarBlockIfTheCardRequiresIt) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {blocked(10, 20), card("booking-engine", 19), card("marketplace-c", 20),
                                card("student-housing", 0)}));
  const running_roost server(place);
  const auto stored = row(day_from_now(10), day_from_now(20), "Unavailable"),
             block = row(day_from_now(20), two_years_after(20), "Calendar Block");
  EXPECT_EQ(rows_on(server, "booking-engine"), "[" + stored + "," + block + "]");
  EXPECT_EQ(rows_on(server, "student-housing"), "[" + stored + "," + block + "]");
  EXPECT_EQ(rows_on(server, "marketplace-c"), "[" + stored + "]");   // not more than 20 days
  EXPECT_EQ(rows_on(server, "marketplace-a"), "[" + stored + "]");   // its card has no number of days
  EXPECT_EQ(rows_on(server, "channel-manager"), "[" + stored + "]"); // no card
}

TEST_P(GeneratedRows, AreNotStored) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {blocked(10, 20), card("booking-engine", 0)}));
  const running_roost server(place);
  const auto engine = server.partner_of("booking-engine");
  // Nights of the Calendar Block can be booked; the block then follows the booking.
  EXPECT_EQ(engine.post("/bookings", booking("u1", 30, 60)).status, 201U);
  const auto rows = "[" + row(day_from_now(10), day_from_now(20), "Unavailable") + "," +
                    row(day_from_now(30), day_from_now(59), "Unavailable") + "," +
                    row(day_from_now(59), two_years_after(59), "Calendar Block") + "]";
  // The single read and the list show the decision at different times.
  for (const auto& [path, at] : {std::pair{"/listings/u1", ""}, std::pair{"/listings", "/0"}})
    EXPECT_TRUE(eventually([&, path = path, at = at] {
      return without_times_and_ids(json_at(engine.get(path).body, std::string(at) + "/unavailabilities")) ==
             rows;
    })) << path;
  EXPECT_EQ(json_at(server.partner_of("marketplace-a").get("/listings/u1").body, "/unavailabilities/2"), "");
}

TEST_P(GeneratedRows, FollowTheCardWhenItChanges) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {blocked(10, 20), card("booking-engine", 0)}));
  const running_roost server(place);
  const auto engine = server.partner_of("booking-engine");
  EXPECT_NE(json_at(engine.get("/listings/u1").body, "/unavailabilities/1"), "");
  place.import(portfolio_of(1, {blocked(10, 20), card("booking-engine", 20)}));
  EXPECT_TRUE(
      eventually([&] { return json_at(engine.get("/listings/u1").body, "/unavailabilities/1").empty(); }));
}

TEST_P(GeneratedRows, BlockDaysBeforeAvailableFromOnTheRoomSharingMarketplace) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{account_pointer + "/advanceNoticeDays", "5"}, blocked(-3, 20)}));
  const running_roost server(place);
  const auto stored = row(day_from_now(-3), day_from_now(20), "Unavailable");
  const auto listing = listing_on(server, "room-sharing");
  EXPECT_EQ(json_at(listing, "/availableFrom"), '"' + day_from_now(21) + '"');
  EXPECT_EQ(json_at(listing, "/unavailabilities"),
            "[" + stored + "," + row(day_from_now(0), day_from_now(20), "Not available yet") + "]");
  EXPECT_EQ(rows_on(server, "student-housing"), "[" + stored + "]");
}

/// Returns a unit with a past booking window and a window in the given year.
std::string with_windows(const std::string& year) {
  return portfolio_of(
      1,
      {{unit_pointer(0) + "/bookingWindows",
        R"([{"minStartDate":"2020-01-01","maxStartDate":"2020-02-01","minEndDate":"2020-06-01","maxEndDate":"2020-07-31"},)"
        R"({"minStartDate":")" +
            year + R"(-01-01","maxStartDate":")" + year + R"(-02-01","minEndDate":")" + year +
            R"(-06-15","maxEndDate":")" + year + R"(-07-31"}])"},
       {unit_pointer(0) + "/minStayMonths", "1"},
       {unit_pointer(0) + "/maxStayMonths", "24"},
       {unit_pointer(0) + "/deposit", R"({"mode":"fixed","value":500.01})"},
       {property_pointer + "/cleaningFee", R"({"enabled":true,"value":45.5})"},
       {property_pointer + "/monthlyBills", "60"},
       {property_pointer + "/membershipFee", "20"},
       {property_pointer + "/parking", "80.25"}});
}

TEST_P(GeneratedRows, RestrictMarketplaceBToItsBookingWindow) {
  workplace place(GetParam());
  place.import(with_windows("2098"));
  const running_roost server(place);
  const auto listing = listing_on(server, "marketplace-b");
  EXPECT_EQ(json_at(listing, "/minStayPeriod"), "4");
  EXPECT_EQ(json_at(listing, "/maxStayPeriod"), "7");
  EXPECT_EQ(json_at(listing, "/availableFrom"), '"' + day_from_now(0) + '"');
  EXPECT_EQ(json_at(listing, "/unavailabilities"),
            "[" + row(day_from_now(0), "2097-12-31", "Booking window restriction") + "," +
                row("2098-07-31", "2100-07-31", "Booking window restriction") + "]");
  const auto elsewhere = listing_on(server, "marketplace-a");
  EXPECT_EQ(json_at(elsewhere, "/minStayPeriod"), "1");
  EXPECT_EQ(json_at(elsewhere, "/maxStayPeriod"), "24");
  EXPECT_EQ(json_at(elsewhere, "/unavailabilities"), "[]");
}

TEST_P(GeneratedRows, AccompanyMarketplaceBsCosts) {
  workplace place(GetParam());
  place.import(with_windows("2098"));
  const running_roost server(place);
  EXPECT_EQ(json_at(listing_on(server, "marketplace-b"), "/costs"),
            R"([{"type":"security-deposit","value":501,"payableBy":"tenant","payableAt":"move-in",)"
            R"("required":true,"refundable":true,"isEstimated":false},)"
            R"({"type":"cleaning-fee","value":46,"payableBy":"tenant","payableAt":"monthly",)"
            R"("required":true,"refundable":false,"isEstimated":false},)"
            R"({"type":"membership-fee","value":20,"payableBy":"tenant","payableAt":"move-in",)"
            R"("required":true,"refundable":false,"isEstimated":false},)"
            R"({"type":"parking","value":81,"payableBy":"tenant","payableAt":"monthly",)"
            R"("required":false,"refundable":false,"isEstimated":false},)"
            R"({"type":"other-additional-costs","value":60,"payableBy":"tenant","payableAt":"monthly",)"
            R"("required":true,"refundable":false,"isEstimated":true}])");
  for (const auto* platform : {"marketplace-a", "marketplace-c", "marketplace-d", "booking-engine",
                               "channel-manager", "room-sharing", "student-housing"})
    EXPECT_EQ(json_at(listing_on(server, platform), "/costs"), "") << platform;
}

} // namespace roost::testing::generated_rows_test
