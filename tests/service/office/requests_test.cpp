#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What platforms requested, through the office API.
namespace roost::testing::office_requests_http_test {

class OfficeRequests : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeRequests);
ROOST_FOR_SQLITE(OfficeRequestsOverHttp);

const std::string requests_path = "/api/requests";

TEST_P(OfficeRequests, SayWhatBecameOfEach) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto partner = office.partner_of("marketplace-a");
  const std::string reference = "8a2e1c1c-9b8e-4a5e-9d3c-2f2d9f0a0001";
  ASSERT_EQ(partner.post("/bookings", booking("u1", 30, 60, {{"/bookingId", '"' + reference + '"'}})).status,
            201U);
  ASSERT_TRUE(eventually([&] { return office.decisions().size() == 1; }));
  ASSERT_EQ(partner.post("/bookings", booking("u1", 40, 70)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions().size() == 2; }));
  const auto listed = office.send("GET", requests_path);
  ASSERT_EQ(listed.status, 200U) << listed.body;
  EXPECT_EQ(json_at(listed.body, "/total"), "2");
  EXPECT_EQ(json_at(listed.body, "/items/0/state"), R"("Failed")");
  EXPECT_EQ(json_at(listed.body, "/items/0/refusal/reason"), R"("nights_taken")");
  EXPECT_EQ(json_at(listed.body, "/items/0/booking"), "null");
  EXPECT_EQ(json_at(listed.body, "/items/0/unitId"), '"' + unit_id(1) + '"');
  EXPECT_EQ(json_at(listed.body, "/items/1/state"), R"("Success")");
  EXPECT_EQ(json_at(listed.body, "/items/1/bookingId"), '"' + reference + '"');
  EXPECT_EQ(json_at(listed.body, "/items/1/externalId"), R"("u1")");
  EXPECT_EQ(json_at(listed.body, "/items/1/unitName"), R"("Room 1")");
  EXPECT_EQ(json_at(listed.body, "/items/1/checkInDate"), '"' + day_from_now(30) + '"');
  EXPECT_EQ(json_at(listed.body, "/items/1/tenant/lastName"), R"("Lindqvist")");
  EXPECT_EQ(json_at(listed.body, "/items/1/refusal"), "null");
  EXPECT_EQ(string_at(listed, "/items/1/booking").size(), 36U);
  EXPECT_EQ(json_at(office.send("GET", requests_path + "?state=Failed").body, "/total"), "1");
  EXPECT_EQ(json_at(office.send("GET", requests_path + "?platform=marketplace-b").body, "/total"), "0");
}

TEST_P(OfficeRequests, AreListedBeforeTheyAreDecided) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1h\""}});
  ASSERT_EQ(office.partner_of("marketplace-d").post("/bookings", booking("u1_7", 30, 60)).status, 201U);
  const auto listed = office.send("GET", requests_path + "?state=New");
  EXPECT_EQ(json_at(listed.body, "/total"), "1") << listed.body;
  EXPECT_EQ(json_at(listed.body, "/items/0/unitName"), R"("Room 1")") << "linked as the property u1";
  EXPECT_EQ(json_at(listed.body, "/items/0/decidedAt"), "null");
}

TEST_P(OfficeRequestsOverHttp, HideTenantsFromRolesThatMayNotSeeThem) {
  office_fixture office(GetParam(), {{"roles.Single", R"(["bookings.view"])"}},
                        {{account_pointer + "/users/0/role", R"("Single")"}});
  ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  const auto listed = office.send("GET", requests_path);
  EXPECT_EQ(json_at(listed.body, "/total"), "1");
  EXPECT_EQ(json_at(listed.body, "/items/0/tenant"), "null");
}

TEST_P(OfficeRequestsOverHttp, HaveFilters) {
  office_fixture office(GetParam());
  const auto message = [&](const std::string& query) {
    return string_at(office.send("GET", requests_path + query), "/message");
  };
  EXPECT_EQ(message("?state=Old"), "state must be one of New, Success, Failed, Dropped");
  EXPECT_EQ(message("?since=yesterday"), "since must be a valid ISO 8601 date string");
  EXPECT_EQ(office.send("GET", requests_path + "?since=2026-11-20").status, 200U);
}

} // namespace roost::testing::office_requests_http_test
