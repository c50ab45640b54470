#include "service/support/office.hpp"

/// If-Match on PUT /<prefix>/bookings/{bookingId}.
namespace roost::testing::conditional_booking_test {
const std::string path = "/bookings/0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a51",
                  later_path = "/bookings/0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a52";

class ConditionalBookings : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(ConditionalBookings);
ROOST_FOR_SQLITE(ConditionalBookingsOverHttp);

std::map<std::string, std::string> cycle(const std::string& time) {
  return {{"bookings.cycle", '"' + time + '"'}};
}

header_fields if_match(const std::string& tags) { return {{"If-Match", tags}}; }

std::string outdated() {
  return error_body(412, "The listing has changed since it was read", "PreconditionFailedException");
}

TEST_P(ConditionalBookings, AreStoredOnlyWhileTheListingIsAsItWasRead) {
  office_fixture office(GetParam(), cycle("100ms"));
  const auto client = office.partner_of("channel-manager");
  const auto read = client.get("/listings/u1").header("etag");
  ASSERT_EQ(client.put(path, booking("u1", 30, 60), if_match(read)).status, 201U);
  ASSERT_EQ(string_at(client.get(path + "?wait=20s"), "/status"), "confirmed");
  const auto later = booking("u1", 70, 80);
  const auto refused = client.put(later_path, later, if_match(read));
  EXPECT_EQ(refused.status, 412U);
  EXPECT_EQ(refused.body, outdated());
  EXPECT_EQ(refused.header("etag"), client.get("/listings/u1").header("etag"));
  EXPECT_EQ(client.get(later_path).status, 404U) << "nothing is stored";
  EXPECT_EQ(client.put(path, booking("u1", 30, 60), if_match(read)).status, 200U) << "a repeat";
  EXPECT_EQ(client.put(path, later, if_match(read)).status, 409U) << "another body";
  EXPECT_EQ(client.put(later_path, later, if_match(refused.header("etag"))).status, 201U);
}

TEST_P(ConditionalBookingsOverHttp, CompareTagsStrongly) {
  office_fixture office(GetParam(), cycle("1h"));
  const auto client = office.partner_of("channel-manager");
  const auto read = client.get("/listings/u1").header("etag");
  const auto status_with = [&](const std::string& tags) {
    return client.put(later_path, booking("u1", 30, 60), if_match(tags)).status;
  };
  for (const auto& tags : {std::string("\"other\""), "W/" + read, read.substr(1), std::string()})
    EXPECT_EQ(status_with(tags), 412U) << tags;
  EXPECT_EQ(client.put(path, booking("u1", 30, 60), if_match("\"other\", " + read)).status, 201U);
  EXPECT_EQ(status_with("*"), 201U);
}

TEST_P(ConditionalBookingsOverHttp, AreNotStoredForAListingThatIsNotPublished) {
  office_fixture office(GetParam(), cycle("1h"));
  const auto client = office.partner_of("channel-manager");
  const auto refused = client.put(path, booking("unknown", 30, 60), if_match("*"));
  EXPECT_EQ(refused.body, outdated());
  EXPECT_EQ(refused.header("etag"), "");
  EXPECT_EQ(client.put(path, booking("unknown", 30, 60)).status, 201U) << "without a condition";
  const auto landlord = office.partner_of("landlord-one");
  EXPECT_EQ(landlord.put(path, booking("unknown", 30, 60), if_match("*")).status, 404U);
  const auto read = landlord.get("/listings/" + unit_id(1)).header("etag");
  EXPECT_EQ(landlord.put(path, booking(unit_id(1), 30, 60), if_match("\"other\"")).body, outdated());
  EXPECT_EQ(landlord.put(path, booking(unit_id(1), 30, 60), if_match(read)).status, 201U);
}

TEST_P(ConditionalBookingsOverHttp, AreNotThoseThatArePosted) {
  office_fixture office(GetParam(), cycle("1h"));
  const auto client = office.partner_of("channel-manager");
  EXPECT_EQ(client.post("/bookings", booking("u1", 30, 60), if_match("\"other\"")).status, 201U);
}

} // namespace roost::testing::conditional_booking_test
