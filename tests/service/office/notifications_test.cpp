#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Notifications to the landlord through the office API.
namespace roost::testing::office_notifications_test {
using ::testing::HasSubstr;
using ::testing::StartsWith;

class OfficeNotifications : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeNotifications);
ROOST_FOR_SQLITE(OfficeNotificationsOverHttp);

const std::string notifications_path = "/api/notifications", read_path = "/api/notifications/read";
const std::map<std::string, std::string> decides_soon{{"bookings.cycle", "\"1s\""}};

/// Books u1 and waits for the notification. Returns its id.
std::string booked_notification(office_fixture& office) {
  EXPECT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  EXPECT_TRUE(eventually([&] { return office.decisions().size() == 1; }));
  return string_at(office.send("GET", notifications_path), "/items/0/id");
}

TEST_P(OfficeNotifications, AreReadByTheirIdsOrByTheirTime) {
  office_fixture office(GetParam(), decides_soon);
  const auto id = booked_notification(office);
  const auto listed = office.send("GET", notifications_path + "?read=false");
  ASSERT_EQ(listed.status, 200U) << listed.body;
  EXPECT_EQ(json_at(listed.body, "/total"), "1");
  EXPECT_EQ(json_at(listed.body, "/items/0/kind"), R"("booking_created")");
  EXPECT_EQ(json_at(listed.body, "/items/0/read"), "false");
  EXPECT_THAT(string_at(listed, "/items/0/body"), HasSubstr("Lindqvist"));
  EXPECT_EQ(string_at(listed, "/items/0/booking").size(), 36U);
  const auto marks = R"({"ids":[")" + id + R"("]})";
  EXPECT_EQ(office.send("POST", read_path, marks).status, 204U);
  EXPECT_EQ(office.send("POST", read_path, marks).status, 204U) << "repeating it is safe";
  EXPECT_EQ(json_at(office.send("GET", notifications_path + "?read=false").body, "/total"), "0");
  EXPECT_EQ(json_at(office.send("GET", notifications_path).body, "/items/0/read"), "true");
  EXPECT_EQ(office.send("POST", read_path, R"({"before":"2999-01-01T00:00:00.000Z"})").status, 204U);
  EXPECT_EQ(json_at(office.send("GET", "/api/audit").body, "/total"), "0");
  office.restart();
  EXPECT_EQ(json_at(office.send("GET", notifications_path + "?read=true").body, "/total"), "1");
}

TEST_P(OfficeNotificationsOverHttp, HideNamesFromRolesThatMayNotSeeTenants) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}, {"roles.Single", R"(["bookings.view"])"}},
                        {{account_pointer + "/users/0/role", R"("Single")"}});
  booked_notification(office);
  const auto listed = office.send("GET", notifications_path);
  EXPECT_EQ(json_at(listed.body, "/items/0/body"), "null");
  EXPECT_THAT(string_at(listed, "/items/0/title"), HasSubstr("Room 1"));
}

TEST_P(OfficeNotificationsOverHttp, RefuseWhatNamesNothing) {
  office_fixture office(GetParam());
  const auto message = [&](const std::string& body) {
    const auto refused = office.send("POST", read_path, body);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_EQ(message("{}"), "The body must have either ids or before");
  EXPECT_EQ(
      message(R"({"ids":["22222222-0000-4000-8000-000000000001"],"before":"2026-11-20T09:30:00.000Z"})"),
      "The body must have either ids or before");
  EXPECT_EQ(message(R"({"ids":[]})"), "ids must have 1 to 200 elements");
  EXPECT_THAT(message(R"({"ids":["x"]})"), StartsWith("ids[0] "));
  EXPECT_THAT(message(R"({"before":"today"})"), StartsWith("before must be a UTC time"));
  const auto unknown = office.send("POST", read_path, R"({"ids":["22222222-0000-4000-8000-000000000001"]})");
  EXPECT_EQ(unknown.status, 404U);
  EXPECT_EQ(office.send("GET", notifications_path + "?read=maybe").status, 400U);
}

} // namespace roost::testing::office_notifications_test
