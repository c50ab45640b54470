#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// GET /api/calendar.
namespace roost::testing::office_calendar_test {
using ::testing::HasSubstr;
using ::testing::Not;

class OfficeCalendar : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeCalendar);
ROOST_FOR_SQLITE(OfficeCalendarOverHttp);

const std::string path = "/api/calendar", blocks = "/api/units/" + unit_id(1) + "/blocks";

TEST_P(OfficeCalendar, ShowsBookingsBlocksAndPreparationNights) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}},
                        {{unit_pointer(0) + "/preparationDays", "2"}});
  ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  const auto block = office.send("POST", blocks,
                                 R"({"from":")" + day_from_now(70) + R"(","to":")" + day_from_now(80) +
                                     R"(","note":"Paint"})");
  ASSERT_EQ(block.status, 201U) << block.body;

  const auto shown = office.send("GET", path + "?from=" + day_from_now(0) + "&to=" + day_from_now(100));
  ASSERT_EQ(shown.status, 200U) << shown.body;
  const std::string unit = "/items/0", booked = unit + "/bookings/0";
  EXPECT_EQ(string_at(shown, unit + "/id"), unit_id(1));
  EXPECT_EQ(string_at(shown, booked + "/platform"), "marketplace-a");
  EXPECT_EQ(string_at(shown, booked + "/status"), "confirmed");
  EXPECT_EQ(string_at(shown, booked + "/checkInDate"), day_from_now(30));
  EXPECT_EQ(string_at(shown, booked + "/checkOutDate"), day_from_now(60));
  EXPECT_EQ(string_at(shown, booked + "/preparation/from"), day_from_now(60));
  EXPECT_EQ(string_at(shown, booked + "/preparation/to"), day_from_now(61));
  EXPECT_THAT(json_at(shown.body, booked + "/tenantName"), Not(HasSubstr("null")));
  EXPECT_EQ(string_at(shown, unit + "/blocks/0/note"), "Paint");
  EXPECT_EQ(json_at(shown.body, unit + "/conflicts"), "[]");

  // The tag lets a client move the block without another read.
  const auto moved = office.send("PATCH", blocks + "/" + string_at(shown, unit + "/blocks/0/id"),
                                 R"({"to":")" + day_from_now(81) + R"("})",
                                 {{"If-Match", item_tag(shown, unit + "/blocks/0")}});
  EXPECT_EQ(moved.status, 200U) << moved.body;
}

TEST_P(OfficeCalendarOverHttp, NamesConflictsThatFilesBrought) {
  office_fixture office(GetParam(), {}, {{unit_pointer(0) + "/blocks", R"([
    {"from":"2099-01-01","to":"2099-01-10","source":"channel","host":"host-one"},
    {"from":"2099-01-05","to":"2099-01-20","source":"channel","host":"host-two"},
    {"from":"2099-01-05","to":"2099-01-06","source":"manual"}])"}});
  const auto shown = office.send("GET", path + "?from=2099-01-01&to=2099-01-31");
  ASSERT_EQ(shown.status, 200U) << shown.body;
  EXPECT_EQ(string_at(shown, "/items/0/conflicts/0/from"), "2099-01-05");
  EXPECT_EQ(string_at(shown, "/items/0/conflicts/0/to"), "2099-01-10");
  EXPECT_THAT(json_at(shown.body, "/items/0/conflicts"), Not(HasSubstr("},{"))) << "only one";
}

TEST_P(OfficeCalendarOverHttp, RefusesABadRangeOfDates) {
  office_fixture office(GetParam());
  const auto refusal = [&](const std::string& query) {
    const auto refused = office.send("GET", path + query);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_EQ(refusal(""), "from is required, to is required");
  EXPECT_EQ(refusal("?from=2027-02-30&to=x"),
            "from must be a real date written YYYY-MM-DD, to must be a real date written YYYY-MM-DD");
  EXPECT_EQ(refusal("?from=2027-02-02&to=2027-02-01"), "to must not be before from");
  EXPECT_EQ(refusal("?from=2027-01-01&to=2030-01-01"), "to must be less than 800 days after from");
  EXPECT_EQ(refusal("?from=2027-01-01&to=2027-02-01&property=x"), "property must be a UUID");
}

TEST_P(OfficeCalendarOverHttp, IsATableToo) {
  office_fixture office(GetParam());
  const auto table =
      office.send("GET", path + "?from=2027-01-01&to=2027-02-01", "", {{"Accept", "text/csv"}});
  EXPECT_EQ(table.status, 200U);
  EXPECT_THAT(
      table.body,
      HasSubstr("id,internalName,propertyId,propertyName,archived,bookings,blocks,events,holds,conflicts"));
  EXPECT_THAT(table.body, HasSubstr(unit_id(1)));
}

} // namespace roost::testing::office_calendar_test
