#include "service/support/office.hpp"
#include "service/support/openapi.hpp"

#include <gmock/gmock.h>

#include <optional>

/// GET /<prefix>/listings/{externalId}/quote.
namespace roost::testing::partner_quote_test {
using ::testing::HasSubstr;

/// A unit with all kinds of prices.
const std::vector<edit> priced{
    {unit_pointer(0) + "/rent",
     R"({"fixed":false,"perMonth":[{"month":1,"rent":701.5},{"month":2,"rent":650},)"
     R"({"month":3,"rent":649.99},{"month":4,"rent":512},{"month":5,"rent":498}]})"},
    {unit_pointer(0) + "/extraPricePerTenant", "33.33"},
    {unit_pointer(0) + "/extraDepositPerTenant", "50"},
    {unit_pointer(0) + "/exitFee", "80.5"},
    {unit_pointer(0) + "/preparationDays", "2"},
    {unit_pointer(0) + "/deposit", R"({"mode":"rentMultiple","value":1.5})"},
    {unit_pointer(0) + "/adminFee",
     R"({"enabled":true,"mode":"tiered","tiers":[{"fromDays":1,"value":90},{"fromDays":60,"value":150.25}]})"},
    {property_pointer + "/cleaningFee", R"({"enabled":true,"value":45,"frequency":"monthly"})"},
    {account_pointer + "/platformCards/0/markup", R"({"mode":"percentage","value":7})"}};

class PartnerQuotes : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(PartnerQuotes);
ROOST_FOR_SQLITE(PartnerQuotesOverHttp);

struct quoted_stay {
  std::string check_in, check_out;
  int occupants = 1;

  std::string query(const std::string& more = "") const {
    return "?checkInDate=" + check_in + "&checkOutDate=" + check_out +
           "&occupants=" + std::to_string(occupants) + more;
  }
};

raw_response quote_of(const partner& of, const std::string& id, const std::string& query) {
  return of.get("/listings/" + id + "/quote" + query);
}

/// Compares the quote of a stay in this year with its booking. Without `payment`, the platform derives it.
void compare_with_booking(office_fixture& office, const std::string& platform, const std::string& year,
                          const std::optional<std::string>& payment) {
  const auto client = office.partner_of(platform);
  const auto id = platform == "landlord-one" ? unit_id(1) : "u1";
  const quoted_stay stay{year + "-01-20", year + "-04-11", 2};
  const auto quoted =
      quote_of(client, id, stay.query(payment ? "&platformProviderPaymentValue=" + *payment : ""));
  ASSERT_EQ(quoted.status, 200U) << quoted.body;
  EXPECT_EQ(json_at(quoted.body, "/available"), "true");
  const auto path = "/bookings/0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f" + year;
  const auto sent = client.put(path, booking(id, 0, 1,
                                             {{"/checkInDate", '"' + stay.check_in + '"'},
                                              {"/checkOutDate", '"' + stay.check_out + '"'},
                                              {"/platformProviderPaymentValue", payment.value_or("")},
                                              {"/numberOfExtraTenants", "2"}}));
  ASSERT_EQ(sent.status, 201U) << sent.body;
  const auto decided = client.get(path + "?wait=20s");
  ASSERT_EQ(json_at(decided.body, "/status"), "\"confirmed\"") << decided.body;
  const auto made = office.send("GET", "/api/bookings?platform=" + platform);
  const auto plan = json_at(made.body, "/items/0/plan");
  EXPECT_EQ(plan, json_at(quoted.body, "/plan"));
  EXPECT_THAT(plan, HasSubstr("provider_platform_payment"));
  EXPECT_EQ(json_at(made.body, "/items/0/total"), json_at(quoted.body, "/total"));
  const auto again = quote_of(client, id, stay.query());
  EXPECT_EQ(json_at(again.body, "/available"), "false");
  EXPECT_EQ(json_at(again.body, "/refusals"), R"(["nights_taken"])");
  EXPECT_EQ(json_at(again.body, "/takenNights"),
            R"([{"from":")" + stay.check_in + R"(","to":")" + year + R"(-04-10"}])");
  EXPECT_EQ(json_at(again.body, "/rent"), json_at(quoted.body, "/rent")) << "also if it is not available";
}

TEST_P(PartnerQuotes, AreThePlansOfTheBookings) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"100ms\""}}, priced);
  int year = 2027;
  for (const auto* platform :
       {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d", "booking-engine",
        "channel-manager", "room-sharing", "student-housing", "landlord-one"}) {
    SCOPED_TRACE(platform);
    compare_with_booking(office, platform, std::to_string(++year), "650");
  }
}

TEST_P(PartnerQuotesOverHttp, AreThePlansOfBookingsWhosePaymentIsDerived) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"100ms\""}}, priced);
  int year = 2027;
  for (const auto* platform : {"marketplace-d", "booking-engine"}) {
    SCOPED_TRACE(platform);
    compare_with_booking(office, platform, std::to_string(++year), std::nullopt);
  }
}

TEST_P(PartnerQuotesOverHttp, ShowEachPartOfThePrice) {
  office_fixture office(GetParam(), {}, priced);
  const auto client = office.partner_of("channel-manager");
  const auto quoted = quote_of(client, "u1", "?checkInDate=2027-02-10&checkOutDate=2027-05-01&occupants=3");
  ASSERT_EQ(quoted.status, 200U) << quoted.body;
  EXPECT_EQ(json_at(quoted.body, "/rent/0/month"), "\"2027-02\"");
  EXPECT_EQ(json_at(quoted.body, "/rent/0/nights"), "19");
  EXPECT_EQ(json_at(quoted.body, "/rent/2/nights"), "30");
  EXPECT_EQ(json_at(quoted.body, "/adminFee"), R"({"amount":150.25,"fromDays":60})");
  EXPECT_EQ(json_at(quoted.body, "/exitFee"), "80.5");
  EXPECT_EQ(json_at(quoted.body, "/currency"), "\"EUR\"");
  EXPECT_EQ(json_at(quoted.body, "/warnings"), R"(["above_capacity"])");
  EXPECT_EQ(json_at(quoted.body, "/refusals"), "[]") << "the booking would state its payment";
  EXPECT_EQ(json_at(quoted.body, "/available"), "true");
  const auto unpaid = quote_of(
      client, "u1", "?checkInDate=2027-02-10&checkOutDate=2027-05-01&platformProviderPaymentValue=0");
  EXPECT_EQ(json_at(unpaid.body, "/refusals"), R"(["no_payment_value"])");
  const auto document = document_of(*office.server, "channel-manager");
  EXPECT_EQ(document.mismatch({"get", "/channel-manager/listings/{externalId}/quote"}, 200, quoted.body), "");
}

TEST_P(PartnerQuotesOverHttp, RefuseQueriesThatBookNothing) {
  office_fixture office(GetParam());
  const auto client = office.partner_of("channel-manager");
  const auto expect = [&](const std::string& query, const std::string& message) {
    const auto response = quote_of(client, "u1", query);
    EXPECT_EQ(response.status, 400U) << query;
    EXPECT_THAT(response.body, HasSubstr(message)) << query;
  };
  expect("", "checkInDate is required, checkOutDate is required");
  expect("?checkInDate=2027-02-30&checkOutDate=2027-03-01", "checkInDate must be a real date");
  expect("?checkInDate=2027-03-01&checkOutDate=2027-03-01", "checkOutDate must be after checkInDate");
  expect("?checkInDate=2027-03-01&checkOutDate=2127-03-03",
         "checkOutDate must be at most 36525 days after checkInDate");
  EXPECT_EQ(quote_of(client, "u1", "?checkInDate=2027-03-01&checkOutDate=2127-03-02").status, 200U);
  const std::string stay = "?checkInDate=2027-03-01&checkOutDate=2027-03-02";
  for (const auto* occupants : {"0", "-1", "1.5", "1001", "two"})
    expect(stay + "&occupants=" + occupants, "occupants must");
  for (const auto* payment : {"-1", "100000000", "much"})
    expect(stay + "&platformProviderPaymentValue=" + payment,
           "platformProviderPaymentValue must be a number");
  expect(stay + "&guests=2", "property guests should not exist");
  EXPECT_EQ(
      quote_of(client, "unknown", stay).body,
      error_body(404, "Listing not found for channel-manager with externalId unknown", "NotFoundException"));
}

TEST_P(PartnerQuotesOverHttp, OfUnitsThatThePlatformDoesNotReadAreMissing) {
  office_fixture office(GetParam(), {}, {{unit_pointer(0) + "/excludedFrom", R"(["channel-manager"])"}});
  const std::string stay = "?checkInDate=2027-03-01&checkOutDate=2027-03-02";
  EXPECT_EQ(quote_of(office.partner_of("channel-manager"), "u1", stay).status, 404U);
  EXPECT_EQ(quote_of(office.partner_of("room-sharing"), "u1", stay).status, 200U);
}

} // namespace roost::testing::partner_quote_test
