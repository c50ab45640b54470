#include "service/support/webhook_fixture.hpp"
#include "store/database/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The webhooks of marketplaces A and B for paid and cancelled bookings.
namespace roost::testing::webhook_test {
using ::testing::ElementsAre;

ROOST_FOR_EACH_STORE(Webhooks);

constexpr auto already_recorded = R"({"ok":true,"message":"Booking already recorded"})";
constexpr auto nothing_to_cancel = R"({"ok":true,"message":"No active booking to cancel"})";

TEST_P(Webhooks, QueueAPaidBookingOfMarketplaceA) {
  webhook_fixture fixture(GetParam());
  const auto response =
      fixture.send_as_a({{"/guest", R"({"name":"Ada  Lovelace Marsh","email":"Ada@guests.example"})"},
                         {"/guests_number", "2"}});
  EXPECT_EQ(response.status, 201U);
  EXPECT_EQ(response.body, ok);
  EXPECT_THAT(fixture.decided_requests(1, "state, reference, external_id", 3),
              ElementsAre("Success|90210|u1"));
  EXPECT_THAT(fixture.bookings("b.platform, b.status, cast(b.provider_payment_cents as text),"
                               " cast(b.occupants as text), t.first_name, t.last_name, t.email",
                               7),
              ElementsAre("marketplace-a|confirmed|68300|2|Ada|Lovelace Marsh|Ada@guests.example"));
  EXPECT_EQ(fixture.notification_count("booking_created"), 1U);
  EXPECT_TRUE(eventually([&] {
    return json_at(fixture.a->get("/listings/u1").body, "/unavailabilities/0/to") == R"("2099-05-31")";
  }));
}

TEST_P(Webhooks, AcceptEverySpellingOfAnEventFromMarketplaceA) {
  webhook_fixture fixture(GetParam());
  int number = 0;
  for (const auto* paid : {"booking_paid", "BOOKING-PAID-SUCCESS", "Payment_Confirmed"}) {
    const auto year = std::to_string(2090 + number);
    EXPECT_EQ(fixture
                  .send_as_a({{"/event", '"' + std::string(paid) + '"'},
                              {"/booking_id", std::to_string(++number)},
                              {"/move_in_date", '"' + year + "-01-01\""},
                              {"/move_out_date", '"' + year + "-02-01\""}})
                  .body,
              ok)
        << paid;
  }
  EXPECT_THAT(fixture.decided_requests(3, "state", 1), ElementsAre("Success", "Success", "Success"));
  number = 0;
  for (const auto* cancelled : {"booking_cancelled", "Booking-Canceled", "booking-rejected"})
    EXPECT_EQ(fixture
                  .send_as_a({{"/event", '"' + std::string(cancelled) + '"'},
                              {"/booking_id", std::to_string(++number)}})
                  .body,
              ok)
        << cancelled;
  EXPECT_EQ(fixture.unavailabilities_of("u1"), "[]");
  for (const auto* ignored : {"booking-requested", "x"})
    EXPECT_EQ(fixture.a->post("/webhook", R"({"event":")" + std::string(ignored) + R"("})").body,
              R"({"ok":true,"message":"Ignored Uniplaces-style event notice: )" + std::string(ignored) +
                  R"("})");
}

TEST_P(Webhooks, FindBookingsOfMarketplaceAThatAreStoredWithAnExponent) {
  struct spelling {
    std::string sent, plain, earlier;
  };
  for (const auto& [sent, plain, earlier] : {spelling{"100000.0", "100000", "1e+05"},
                                             {"1.5e20", "150000000000000000000", "1.5e+20"},
                                             {"1e-5", "0.00001", "1e-05"}}) {
    webhook_fixture fixture(GetParam());
    const std::vector<edit> paid{{"/booking_id", '"' + plain + '"'}};
    const std::vector<edit> cancelled{{"/booking_id", sent}, {"/event", R"("booking-cancelled")"}};
    EXPECT_EQ(fixture.send_as_a(paid).body, ok);
    EXPECT_THAT(fixture.decided_requests(1, "reference", 1), ElementsAre(plain));
    fixture.place.store().open().internals().script("earlier_version",
                                                    "update bookings set reference = '" + earlier + "'");
    EXPECT_EQ(fixture.send_as_a(paid).body, already_recorded);
    EXPECT_EQ(fixture.send_as_a(cancelled).body, ok);
    EXPECT_EQ(fixture.unavailabilities_of("u1"), "[]");
    EXPECT_EQ(fixture.send_as_a(cancelled).body, nothing_to_cancel);
  }
}

TEST_P(Webhooks, FillInMissingGuestDataForMarketplaceA) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a().body, ok);
  fixture.decided_requests(1, "state", 1);
  EXPECT_THAT(fixture.bookings("t.first_name, t.last_name, t.email", 3),
              ElementsAre("Guest|Tenant|guest-90210@placeholder.invalid"));
}

TEST_P(Webhooks, UseTheTotalWhenMarketplaceAOmitsThePrice) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a({{"/contract_price_amount", "null"}, {"/booking_total", "70000"}}).body, ok);
  EXPECT_EQ(fixture
                .send_as_a({{"/contract_price_amount", "null"},
                            {"/booking_id", "2"},
                            {"/move_in_date", R"("2098-01-01")"},
                            {"/move_out_date", R"("2098-02-01")"}})
                .body,
            ok);
  EXPECT_THAT(fixture.decided_requests(2, "state, refusal", 2),
              ElementsAre("Success|", "Failed|provider_payment_missing"));
  EXPECT_THAT(fixture.bookings("cast(b.provider_payment_cents as text)", 1), ElementsAre("70000"));
  EXPECT_TRUE(eventually([&] { return fixture.place.mails().size() == 1; }));
}

TEST_P(Webhooks, FindUnlinkedUnitsOfMarketplaceAByUuidButNotByOfferNumber) {
  webhook_fixture fixture(GetParam(), portfolio_of(2, {{unit_pointer(0) + "/links", "[]"}}));
  EXPECT_EQ(
      fixture.send_as_a({{"/offer_api_reference", "null"}, {"/offer_id", '"' + unit_id(1) + '"'}}).status,
      404U);
  EXPECT_EQ(fixture.send_as_a({{"/offer_api_reference", '"' + unit_id(1) + '"'}}).body, ok);
  EXPECT_THAT(fixture.decided_requests(1, "state", 1), ElementsAre("Success"));
  EXPECT_EQ(
      fixture
          .send_as_a({{"/offer_api_reference", "null"}, {"/offer_id", R"("u2")"}, {"/booking_id", R"("x")"}})
          .body,
      ok);
  EXPECT_THAT(fixture.decided_requests(2, "state", 1), ElementsAre("Success", "Success"));
}

TEST_P(Webhooks, QueueAPaidBookingOfMarketplaceB) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture
                .send_as_b({{"/booking_start_date", R"("2099-03-01 10:00:00")"},
                            {"/booking_end_date", R"("2099-06-01 23:59")"},
                            {"/tenant_first_name", R"("Ada")"},
                            {"/tenant_last_name", R"("Marsh")"},
                            {"/tenant_email", R"("ada@guests.example")"},
                            {"/tenant_phone", R"("+34 600")"},
                            {"/booking_id", R"("17")"},
                            {"/listing_lat", R"("40.4")"}})
                .body,
            ok);
  EXPECT_THAT(fixture.decided_requests(1, "state, reference", 2), ElementsAre("Success|b-1"));
  EXPECT_THAT(
      fixture.bookings("b.platform, cast(b.check_in as text), cast(b.check_out as text),"
                       " cast(b.provider_payment_cents as text), t.first_name, t.last_name, t.email, t.phone",
                       8),
      ElementsAre("marketplace-b|2099-03-01|2099-06-01|68300|Ada|Marsh|ada@guests.example|+34 600"));
}

TEST_P(Webhooks, IdentifyTheLandlordByKeyOrIntegrationEmailForMarketplaceB) {
  webhook_fixture fixture(
      GetParam(),
      portfolio_of(1, {{account_pointer + "/platformCards",
                        R"([{"platform":"marketplace-b","integrationEmail":"Feeds@casaverde.example"}])"}}));
  EXPECT_EQ(fixture.send_as_b({}, "feeds%40CASAVERDE.example").body, ok);
  const auto unknown = fixture.send_as_b({}, "nobody");
  EXPECT_EQ(unknown.status, 404U);
  EXPECT_EQ(
      unknown.body,
      R"({"statusCode":404,"message":"Listing not found for marketplace-b with externalId u1","error":"NotFoundException"})");
  EXPECT_EQ(
      fixture.send_as_b({}, "%20").body,
      R"({"statusCode":400,"message":"landlordKey must be a non-empty value","error":"BadRequestException"})");
  EXPECT_EQ(
      fixture
          .send_as_b({{"/listing_external_reference", '"' + unit_id(1) + '"'}, {"/booking_uuid", R"("b-2")"}})
          .body,
      ok);
}

TEST_P(Webhooks, TruncateNamesAndFillInMissingDataForMarketplaceB) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture
                .send_as_b({{"/tenant_first_name", '"' + std::string(300, 'x') + '"'},
                            {"/tenant_last_name", R"(" ")"}})
                .body,
            ok);
  fixture.decided_requests(1, "state", 1);
  EXPECT_THAT(fixture.bookings("t.first_name, t.last_name, t.email", 3),
              ElementsAre(std::string(128, 'x') + "|Tenant|guest-b-1@placeholder.invalid"));
}

TEST_P(Webhooks, AcceptEveryUnusedField) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture
                .send_as_a({{"/booking_date", R"("2026-11-01")"},
                            {"/rejection_reason", R"("")"},
                            {"/contract_price_currency", R"("EUR")"},
                            {"/admin_fee_amount", "150.5"},
                            {"/admin_fee_currency", R"("EUR")"},
                            {"/accommodation_provider_id", "12"},
                            {"/booking_total", "70000"},
                            {"/offer_id", "5"}})
                .body,
            ok);
  std::vector<edit> unused;
  for (const auto* field : {"/booking_id",
                            "/booking_total",
                            "/booking_fee",
                            "/booking_deposit",
                            "/booking_currency",
                            "/booking_tenants_count",
                            "/booking_advertiser_uuid",
                            "/booking_external_reference",
                            "/listing_uuid",
                            "/listing_alias",
                            "/listing_price",
                            "/listing_currency",
                            "/listing_address",
                            "/listing_house_number",
                            "/listing_zip",
                            "/listing_city",
                            "/listing_neighborhood",
                            "/listing_country_code",
                            "/listing_lat",
                            "/listing_lng",
                            "/tenant_birth_date",
                            "/tenant_gender_code",
                            "/tenant_nationality",
                            "/tenant_iso_country_code"})
    unused.push_back({field, R"("1")"});
  EXPECT_EQ(fixture.send_as_b(unused).body, ok);
  EXPECT_THAT(fixture.decided_requests(2, "state", 1), ElementsAre("Success", "Failed")); // the same nights
}

TEST_P(Webhooks, CancelABookingImmediatelyAndOnlyOnce) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_b().body, ok);
  fixture.decided_requests(1, "state", 1);
  const edit cancel{"/notification_type", R"("Booking_Cancelled")"};
  EXPECT_EQ(fixture.send_as_b({cancel}).body, ok);
  EXPECT_EQ(fixture.unavailabilities_of("u1"), "[]");
  EXPECT_EQ(fixture.send_as_b({cancel}).body, nothing_to_cancel);
  EXPECT_THAT(fixture.bookings("b.status, b.cancelled_by", 2), ElementsAre("cancelled|platform"));
  EXPECT_EQ(fixture.notification_count("booking_cancelled"), 1U);
  // The nights can be booked again, but not under the same reference.
  EXPECT_EQ(fixture.send_as_b().body, ok);
  EXPECT_THAT(fixture.decided_requests(2, "state", 1), ElementsAre("Success", "Dropped"));
  EXPECT_EQ(fixture.send_as_b({{"/booking_uuid", R"("b-2")"}}).body, ok);
  EXPECT_THAT(fixture.decided_requests(3, "state", 1), ElementsAre("Success", "Dropped", "Success"));
}

TEST_P(Webhooks, CancelByBookingAndListingTogether) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a().body, ok);
  fixture.decided_requests(1, "state", 1);
  const edit cancel{"/event", R"("booking-cancelled")"};
  EXPECT_EQ(fixture.send_as_a({cancel, {"/offer_api_reference", R"("u2")"}}).body, nothing_to_cancel);
  EXPECT_EQ(fixture.send_as_a({cancel, {"/booking_id", "90211"}}).body, nothing_to_cancel);
  EXPECT_EQ(
      fixture.send_as_b({{"/notification_type", R"("booking_canceled")"}, {"/booking_uuid", R"("90210")"}})
          .body,
      nothing_to_cancel); // another marketplace
  EXPECT_THAT(fixture.bookings("b.status", 1), ElementsAre("confirmed"));
  EXPECT_EQ(fixture.send_as_a({cancel, {"/booking_id", R"("90210")"}}).body, ok); // as a string
}

TEST_P(Webhooks, AcceptACancelBeforeItsBooking) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a({{"/event", R"("booking-cancelled")"}}).body, nothing_to_cancel);
  EXPECT_EQ(fixture.send_as_a().body, ok);
  EXPECT_THAT(fixture.decided_requests(1, "state", 1), ElementsAre("Success"));
}

TEST_P(Webhooks, CancelButDoNotBookOnAnUnpublishedUnit) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a().body, ok);
  fixture.decided_requests(1, "state", 1);
  fixture.place.import(portfolio_of(2, {{unit_pointer(0) + "/archived", "true"}}));
  EXPECT_EQ(
      fixture.send_as_a({{"/booking_id", "2"}}).body,
      R"({"statusCode":404,"message":"Listing not found for marketplace-a with reference u1","error":"NotFoundException"})");
  EXPECT_EQ(fixture.send_as_a({{"/event", R"("booking-cancelled")"}}).body, ok);
}

TEST_P(Webhooks, ReportARecordedBooking) {
  webhook_fixture fixture(GetParam());
  EXPECT_EQ(fixture.send_as_a().body, ok);
  fixture.decided_requests(1, "state", 1);
  EXPECT_EQ(fixture.send_as_a().body, already_recorded);
  EXPECT_THAT(store_rows(fixture.place.store().open(), "select state from booking_requests", 1),
              ElementsAre("Success"));
}

TEST_P(Webhooks, DropARepetitionBeforeTheDecision) {
  workplace place(GetParam());
  place.set("bookings.cycle", "\"2s\"");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto marketplace = server.partner_of("marketplace-a");
  const std::string paid = R"({"event":"booking-paid","offer_api_reference":"u1","booking_id":"r-1",
      "move_in_date":"2099-03-01","move_out_date":"2099-06-01","contract_price_amount":68300})";
  EXPECT_EQ(marketplace.post("/webhook", paid).body, ok);
  EXPECT_EQ(marketplace.post("/webhook", paid).status, 201U);
  EXPECT_TRUE(eventually([&] {
    return store_rows(place.store().open(), "select state from booking_requests order by seq", 1) ==
           std::vector<std::string>{"Success", "Dropped"};
  }));
}

} // namespace roost::testing::webhook_test
