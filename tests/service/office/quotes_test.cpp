#include "service/office_support/stay_bodies.hpp"
#include "service/support/office.hpp"
#include "service/support/openapi.hpp"
#include "support/raw_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

/// Quotes of stays through the office API.
namespace roost::testing::office_quotes_service_test {
using ::testing::HasSubstr;

class OfficeQuotes : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeQuotes);
ROOST_FOR_SQLITE(OfficeQuotesOverHttp);

TEST_P(OfficeQuotes, SayWhatTheBookingCosts) {
  office_fixture office(GetParam(), {},
                        {{unit_pointer(0) + "/exitFee", "80.5"},
                         {unit_pointer(0) + "/bills", R"({"included":true,"maxValue":60})"},
                         {unit_pointer(0) + "/preparationDays", "2"}});
  const auto quoted = office.send("POST", quotes_path, quote("2027-02-10", "2027-04-05"));
  ASSERT_EQ(quoted.status, 200U) << quoted.body;
  EXPECT_EQ(json_at(quoted.body, "/available"), "true");
  EXPECT_EQ(string_at(quoted, "/rent/0/month"), "2027-02");
  EXPECT_EQ(json_at(quoted.body, "/rent/0/nights"), "19");
  EXPECT_EQ(json_at(quoted.body, "/exitFee"), "80.5");
  EXPECT_EQ(json_at(quoted.body, "/refusals"), "[]");
  const auto made = office.send("POST", bookings_path, stay("2027-02-10", "2027-04-05"));
  ASSERT_EQ(made.status, 201U) << made.body;
  EXPECT_EQ(json_at(made.body, "/plan"), json_at(quoted.body, "/plan"));
  EXPECT_EQ(json_at(made.body, "/total"), json_at(quoted.body, "/total"));
  EXPECT_EQ(json_at(made.body, "/terms"), json_at(quoted.body, "/terms"));
  EXPECT_EQ(json_at(quoted.body, "/terms/bills"), R"({"included":true,"maxValue":60})") << quoted.body;
  EXPECT_EQ(json_at(made.body, "/preparation"), json_at(quoted.body, "/preparation"));
  EXPECT_EQ(string_at(quoted, "/preparation/to"), "2027-04-06");
  const auto document = document_of(*office.server, "office");
  EXPECT_EQ(document.mismatch({"post", "/api/quotes"}, 200, quoted.body), "");
  EXPECT_EQ(document.mismatch({"post", "/api/bookings"}, 201, made.body), "");
  const auto taken = office.send("POST", quotes_path, quote("2027-04-01", "2027-05-01"));
  EXPECT_EQ(json_at(taken.body, "/available"), "false");
  EXPECT_EQ(json_at(taken.body, "/refusals"), R"(["nights_taken"])");
  EXPECT_EQ(string_at(taken, "/takenNights/0/to"), "2027-04-06");
}

TEST_P(OfficeQuotesOverHttp, ShowThePriceOfAPlatform) {
  office_fixture office(GetParam(), {}, {{unit_pointer(0) + "/excludedFrom", R"(["marketplace-b"])"}});
  const std::vector<edit> on_platform{{"/platform", R"("marketplace-a")"}};
  const auto unpaid = office.send("POST", quotes_path, quote("2027-02-01", "2027-03-01", on_platform));
  EXPECT_EQ(json_at(unpaid.body, "/refusals"), R"(["no_payment_value"])") << unpaid.body;
  auto paid = on_platform;
  paid.push_back({"/platformProviderPaymentValue", "650"});
  const auto quoted = office.send("POST", quotes_path, quote("2027-02-01", "2027-03-01", paid));
  EXPECT_EQ(json_at(quoted.body, "/available"), "true") << quoted.body;
  EXPECT_THAT(json_at(quoted.body, "/plan"), HasSubstr("provider_platform_payment"));
  paid.push_back({"/occupants", "9"});
  const auto full = office.send("POST", quotes_path, quote("2027-02-01", "2027-03-01", paid));
  EXPECT_THAT(json_at(full.body, "/warnings"), HasSubstr("above_capacity"));
  const auto excluded = office.send("POST", quotes_path,
                                    quote("2027-02-01", "2027-03-01", {{"/platform", R"("marketplace-b")"}}));
  EXPECT_EQ(json_at(excluded.body, "/refusals"), R"(["listing_not_found","no_payment_value"])")
      << excluded.body;
  const auto withheld =
      office.send("POST", quotes_path,
                  quote("2027-02-01", "2027-03-01",
                        {{"/platform", R"("marketplace-b")"}, {"/platformProviderPaymentValue", "650"}}));
  EXPECT_EQ(json_at(withheld.body, "/refusals"), R"(["listing_not_found"])");
  EXPECT_THAT(json_at(withheld.body, "/plan"), HasSubstr("provider_platform_payment"));
  EXPECT_EQ(json_at(withheld.body, "/platformProviderPaymentValue"), "650");
}

/// Requests the unit without a link, by its UUID: through the platform's webhook if it has one.
raw_response request_by_uuid(const partner& of, const std::string& platform, int from, int to) {
  const auto id = unit_id(1), number = std::to_string(from), in = day_from_now(from), out = day_from_now(to);
  if (platform == "marketplace-a")
    return of.post("/webhook", R"({"event":"booking-paid","offer_api_reference":")" + id +
                                   R"(","booking_id":)" + number + R"(,"move_in_date":")" + in +
                                   R"(","move_out_date":")" + out + R"(","contract_price_amount":65000})");
  if (platform == "marketplace-b")
    return of.post("/casa-verde/webhook",
                   R"({"notification_type":"booking_paid","listing_external_reference":")" + id +
                       R"(","booking_uuid":"b-)" + number + R"(","booking_start_date":")" + in +
                       R"(","booking_end_date":")" + out + R"(","booking_price":"65000"})");
  return of.post("/bookings", booking(id, from, to));
}

TEST_P(OfficeQuotes, AreAvailableOnExactlyThePlatformsThatCanBookTheUnit) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}}, {{unit_pointer(0) + "/links", "[]"}});
  const std::set<std::string> able{"marketplace-a", "marketplace-b", "landlord-one"};
  std::size_t decided = 0, booked = 0;
  int from = 30;
  for (const auto* platform :
       {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d", "booking-engine",
        "channel-manager", "room-sharing", "student-housing", "landlord-one", "landlord-two"}) {
    SCOPED_TRACE(platform);
    const auto in = day_from_now(from), out = day_from_now(from + 30);
    const auto quoted = office.send(
        "POST", quotes_path,
        quote(in.c_str(), out.c_str(),
              {{"/platform", '"' + std::string(platform) + '"'}, {"/platformProviderPaymentValue", "650"}}));
    EXPECT_EQ(json_at(quoted.body, "/available"), able.contains(platform) ? "true" : "false") << quoted.body;
    if (platform == std::string_view("landlord-two")) continue; // its landlord has no account here
    const auto sent = request_by_uuid(office.partner_of(platform), platform, from, from + 30);
    EXPECT_EQ(sent.status, 201U) << sent.body;
    ++decided;
    booked += able.contains(platform) ? 1U : 0U;
    EXPECT_TRUE(eventually([&] { return office.decisions().size() == decided; }));
    const auto states = office.decisions();
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(states, "Success")), booked);
    from += 40;
  }
}

} // namespace roost::testing::office_quotes_service_test
