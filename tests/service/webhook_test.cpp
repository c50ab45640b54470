#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/store_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What marketplaces A and B tell of paid and cancelled bookings.
namespace roost::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ROOST_FOR_EACH_STORE(Webhooks);

constexpr auto ok = R"({"ok":true})";
constexpr auto already_recorded = R"({"ok":true,"message":"Booking already recorded"})";
constexpr auto nothing_to_cancel = R"({"ok":true,"message":"No active booking to cancel"})";

/// An event that is changed into one that is refused.
struct refused_body {
  std::vector<edit> edits;
  std::string message;
};

/// A server with units u1 and u2, whose marketplaces tell what they like.
struct reception {
  explicit reception(store_kind kind, const std::string& portfolio = portfolio_of(2)) : place(kind) {
    place.import(portfolio);
    server.emplace(place);
    a.emplace(server->partner_of("marketplace-a"));
    b.emplace(server->partner_of("marketplace-b"));
  }

  answer tell_a(const std::vector<edit>& edits = {}) const {
    return a->post("/webhook",
                   edited(R"({"event":"booking-paid","offer_api_reference":"u1","booking_id":90210,
        "move_in_date":"2099-03-01","move_out_date":"2099-06-01","contract_price_amount":68300})",
                          edits));
  }

  answer tell_b(const std::vector<edit>& edits = {}, const std::string& landlord = "casa-verde") const {
    return b->post("/" + landlord + "/webhook",
                   edited(R"({"notification_type":"booking_paid","listing_external_reference":"u1",
        "booking_uuid":"b-1","booking_start_date":"2099-03-01","booking_end_date":"2099-06-01",
        "booking_price":"68300"})",
                          edits));
  }

  /// The columns of all requests that were decided, once there are so many.
  std::vector<std::string> decided(std::size_t count, const std::string& columns, int number) {
    const auto query = "select " + columns + " from booking_requests where state <> 'New' order by seq";
    eventually([&] { return store_rows(place.store().open(), query, number).size() >= count; });
    return store_rows(place.store().open(), query, number);
  }

  std::vector<std::string> bookings(const std::string& columns, int number) {
    return store_rows(place.store().open(),
                      "select " + columns +
                          " from bookings b join tenants t on t.id = b.tenant_id order by b.created_at",
                      number);
  }

  std::string nights_of(const std::string& unit) const {
    return json_at(a->get("/listings/" + unit).body, "/unavailabilities");
  }

  /// Each with its text, and nothing is written.
  template <typename Tell>
  void expect_refused(const std::vector<refused_body>& all, Tell tell) {
    for (const auto& [edits, message] : all) {
      const auto told = tell(edits);
      EXPECT_EQ(told.status, 400U) << message;
      EXPECT_EQ(json_at(told.body, "/message"), '"' + message + '"');
    }
    EXPECT_THAT(store_rows(place.store().open(), "select state from booking_requests", 1), IsEmpty());
  }

  std::size_t notified(const std::string& kind) {
    return store_rows(place.store().open(), "select kind from notifications where kind = '" + kind + "'", 1)
        .size();
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<partner> a, b;
};

TEST_P(Webhooks, OfMarketplaceAQueueAPaidBooking) {
  reception desk(GetParam());
  const auto told = desk.tell_a({{"/guest", R"({"name":"Ada  Lovelace Marsh","email":"Ada@guests.example"})"},
                                 {"/guests_number", "2"}});
  EXPECT_EQ(told.status, 201U);
  EXPECT_EQ(told.body, ok);
  EXPECT_THAT(desk.decided(1, "state, reference, external_id", 3), ElementsAre("Success|90210|u1"));
  EXPECT_THAT(desk.bookings("b.platform, b.status, cast(b.provider_payment_cents as text),"
                            " cast(b.occupants as text), t.first_name, t.last_name, t.email",
                            7),
              ElementsAre("marketplace-a|confirmed|68300|2|Ada|Lovelace Marsh|Ada@guests.example"));
  EXPECT_EQ(desk.notified("booking_created"), 1U);
  EXPECT_TRUE(eventually([&] {
    return json_at(desk.a->get("/listings/u1").body, "/unavailabilities/0/to") == R"("2099-05-31")";
  }));
}

TEST_P(Webhooks, OfMarketplaceAReadEverySpellingOfAnEvent) {
  reception desk(GetParam());
  int number = 0;
  for (const auto* paid : {"booking_paid", "BOOKING-PAID-SUCCESS", "Payment_Confirmed"}) {
    const auto year = std::to_string(2090 + number);
    EXPECT_EQ(desk.tell_a({{"/event", '"' + std::string(paid) + '"'},
                           {"/booking_id", std::to_string(++number)},
                           {"/move_in_date", '"' + year + "-01-01\""},
                           {"/move_out_date", '"' + year + "-02-01\""}})
                  .body,
              ok)
        << paid;
  }
  EXPECT_THAT(desk.decided(3, "state", 1), ElementsAre("Success", "Success", "Success"));
  number = 0;
  for (const auto* cancelled : {"booking_cancelled", "Booking-Canceled", "booking-rejected"})
    EXPECT_EQ(desk.tell_a({{"/event", '"' + std::string(cancelled) + '"'},
                           {"/booking_id", std::to_string(++number)}})
                  .body,
              ok)
        << cancelled;
  EXPECT_EQ(desk.nights_of("u1"), "[]");
  for (const auto* ignored : {"booking-requested", "x"})
    EXPECT_EQ(desk.a->post("/webhook", R"({"event":")" + std::string(ignored) + R"("})").body,
              R"({"ok":true,"message":"Ignored Uniplaces-style event notice: )" + std::string(ignored) +
                  R"("})");
}

TEST_P(Webhooks, OfMarketplaceAFillInWhatAGuestDoesNotSay) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_a().body, ok);
  desk.decided(1, "state", 1);
  EXPECT_THAT(desk.bookings("t.first_name, t.last_name, t.email", 3),
              ElementsAre("Guest|Tenant|guest-90210@placeholder.invalid"));
}

TEST_P(Webhooks, OfMarketplaceATakeTheTotalWhereThePriceIsMissing) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_a({{"/contract_price_amount", "null"}, {"/booking_total", "70000"}}).body, ok);
  EXPECT_EQ(desk.tell_a({{"/contract_price_amount", "null"},
                         {"/booking_id", "2"},
                         {"/move_in_date", R"("2098-01-01")"},
                         {"/move_out_date", R"("2098-02-01")"}})
                .body,
            ok);
  EXPECT_THAT(desk.decided(2, "state, refusal", 2),
              ElementsAre("Success|", "Failed|provider_payment_missing"));
  EXPECT_THAT(desk.bookings("cast(b.provider_payment_cents as text)", 1), ElementsAre("70000"));
  EXPECT_TRUE(eventually([&] { return desk.place.mails().size() == 1; }));
}

TEST_P(Webhooks, OfMarketplaceAFindUnlinkedUnitsByUuidButNotByOfferNumber) {
  reception desk(GetParam(), portfolio_of(2, {{unit_at(0) + "/links", "[]"}}));
  EXPECT_EQ(desk.tell_a({{"/offer_api_reference", "null"}, {"/offer_id", '"' + unit_id(1) + '"'}}).status,
            404U);
  EXPECT_EQ(desk.tell_a({{"/offer_api_reference", '"' + unit_id(1) + '"'}}).body, ok);
  EXPECT_THAT(desk.decided(1, "state", 1), ElementsAre("Success"));
  EXPECT_EQ(
      desk.tell_a({{"/offer_api_reference", "null"}, {"/offer_id", R"("u2")"}, {"/booking_id", R"("x")"}})
          .body,
      ok);
  EXPECT_THAT(desk.decided(2, "state", 1), ElementsAre("Success", "Success"));
}

TEST_P(Webhooks, OfMarketplaceARefuseAnIdThatTwoLandlordsLinked) {
  auto portfolio = portfolio_of(1);
  const auto other =
      edited(portfolio_of(1), {{the_account + "/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002")"},
                               {the_account + "/landlordKey", R"("casa-roja")"},
                               {the_account + "/users", "[]"},
                               {the_property + "/id", R"("33333333-0000-4000-8000-000000000002")"},
                               {unit_at(0) + "/id", '"' + unit_id(9) + '"'}});
  portfolio = edited(portfolio, {{"/accounts/1", json_at(other, "/accounts/0")}});
  reception desk(GetParam(), portfolio);
  const auto told = desk.tell_a();
  EXPECT_EQ(told.status, 409U);
  EXPECT_EQ(
      told.body,
      R"({"statusCode":409,"message":"Ambiguous reference: matches listings on multiple accounts","error":"ConflictException"})");
  EXPECT_EQ(desk.tell_b({}, "casa-roja").body, ok); // the landlord is in the path
  EXPECT_EQ(desk.tell_b().body, ok);
  EXPECT_THAT(desk.decided(2, "state", 1), ElementsAre("Success", "Success"));
  EXPECT_THAT(desk.bookings("cast(b.account_id as text)", 1),
              ::testing::UnorderedElementsAre(account_id, "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002"));
}

TEST_P(Webhooks, OfMarketplaceBQueueAPaidBooking) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_b({{"/booking_start_date", R"("2099-03-01 10:00:00")"},
                         {"/booking_end_date", R"("2099-06-01 23:59")"},
                         {"/tenant_first_name", R"("Ada")"},
                         {"/tenant_last_name", R"("Marsh")"},
                         {"/tenant_email", R"("ada@guests.example")"},
                         {"/tenant_phone", R"("+34 600")"},
                         {"/booking_id", R"("17")"},
                         {"/listing_lat", R"("40.4")"}})
                .body,
            ok);
  EXPECT_THAT(desk.decided(1, "state, reference", 2), ElementsAre("Success|b-1"));
  EXPECT_THAT(
      desk.bookings("b.platform, cast(b.check_in as text), cast(b.check_out as text),"
                    " cast(b.provider_payment_cents as text), t.first_name, t.last_name, t.email, t.phone",
                    8),
      ElementsAre("marketplace-b|2099-03-01|2099-06-01|68300|Ada|Marsh|ada@guests.example|+34 600"));
}

TEST_P(Webhooks, OfMarketplaceBKnowTheLandlordByKeyOrIntegrationEmail) {
  reception desk(
      GetParam(),
      portfolio_of(1, {{the_account + "/platformCards",
                        R"([{"platform":"marketplace-b","integrationEmail":"Feeds@casaverde.example"}])"}}));
  EXPECT_EQ(desk.tell_b({}, "feeds%40CASAVERDE.example").body, ok);
  const auto stranger = desk.tell_b({}, "nobody");
  EXPECT_EQ(stranger.status, 404U);
  EXPECT_EQ(
      stranger.body,
      R"({"statusCode":404,"message":"Listing not found for marketplace-b with externalId u1","error":"NotFoundException"})");
  EXPECT_EQ(
      desk.tell_b({}, "%20").body,
      R"({"statusCode":400,"message":"landlordKey must be a non-empty value","error":"BadRequestException"})");
  EXPECT_EQ(
      desk.tell_b({{"/listing_external_reference", '"' + unit_id(1) + '"'}, {"/booking_uuid", R"("b-2")"}})
          .body,
      ok);
}

TEST_P(Webhooks, OfMarketplaceBCutNamesAndFillInWhatIsMissing) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_b({{"/tenant_first_name", '"' + std::string(300, 'x') + '"'},
                         {"/tenant_last_name", R"(" ")"}})
                .body,
            ok);
  desk.decided(1, "state", 1);
  EXPECT_THAT(desk.bookings("t.first_name, t.last_name, t.email", 3),
              ElementsAre(std::string(128, 'x') + "|Tenant|guest-b-1@placeholder.invalid"));
}

TEST_P(Webhooks, TakeEveryFieldThatTheyDoNotUse) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_a({{"/booking_date", R"("2026-11-01")"},
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
  EXPECT_EQ(desk.tell_b(unused).body, ok);
  EXPECT_THAT(desk.decided(2, "state", 1), ElementsAre("Success", "Failed")); // the same nights
}

TEST_P(Webhooks, CancelABookingAtOnceAndOnce) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_b().body, ok);
  desk.decided(1, "state", 1);
  const edit cancel{"/notification_type", R"("Booking_Cancelled")"};
  EXPECT_EQ(desk.tell_b({cancel}).body, ok);
  EXPECT_EQ(desk.nights_of("u1"), "[]");
  EXPECT_EQ(desk.tell_b({cancel}).body, nothing_to_cancel);
  EXPECT_THAT(desk.bookings("b.status, b.cancelled_by", 2), ElementsAre("cancelled|platform"));
  EXPECT_EQ(desk.notified("booking_cancelled"), 1U);
  // The nights can be sold again, but not under the same reference.
  EXPECT_EQ(desk.tell_b().body, ok);
  EXPECT_THAT(desk.decided(2, "state", 1), ElementsAre("Success", "Dropped"));
  EXPECT_EQ(desk.tell_b({{"/booking_uuid", R"("b-2")"}}).body, ok);
  EXPECT_THAT(desk.decided(3, "state", 1), ElementsAre("Success", "Dropped", "Success"));
}

TEST_P(Webhooks, CancelByBookingAndListingTogether) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_a().body, ok);
  desk.decided(1, "state", 1);
  const edit cancel{"/event", R"("booking-cancelled")"};
  EXPECT_EQ(desk.tell_a({cancel, {"/offer_api_reference", R"("u2")"}}).body, nothing_to_cancel);
  EXPECT_EQ(desk.tell_a({cancel, {"/booking_id", "90211"}}).body, nothing_to_cancel);
  EXPECT_EQ(
      desk.tell_b({{"/notification_type", R"("booking_canceled")"}, {"/booking_uuid", R"("90210")"}}).body,
      nothing_to_cancel); // another marketplace's
  EXPECT_THAT(desk.bookings("b.status", 1), ElementsAre("confirmed"));
  EXPECT_EQ(desk.tell_a({cancel, {"/booking_id", R"("90210")"}}).body, ok); // as a string
}

TEST_P(Webhooks, AnswerACancelThatComesBeforeItsBooking) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_a({{"/event", R"("booking-cancelled")"}}).body, nothing_to_cancel);
  EXPECT_EQ(desk.tell_a().body, ok);
  EXPECT_THAT(desk.decided(1, "state", 1), ElementsAre("Success"));
}

TEST_P(Webhooks, CancelOnAUnitThatIsNoLongerPublishedAndBookNothingThere) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_a().body, ok);
  desk.decided(1, "state", 1);
  desk.place.import(portfolio_of(2, {{unit_at(0) + "/archived", "true"}}));
  EXPECT_EQ(
      desk.tell_a({{"/booking_id", "2"}}).body,
      R"({"statusCode":404,"message":"Listing not found for marketplace-a with reference u1","error":"NotFoundException"})");
  EXPECT_EQ(desk.tell_a({{"/event", R"("booking-cancelled")"}}).body, ok);
}

TEST_P(Webhooks, SayThatABookingIsRecordedAlready) {
  reception desk(GetParam());
  EXPECT_EQ(desk.tell_a().body, ok);
  desk.decided(1, "state", 1);
  EXPECT_EQ(desk.tell_a().body, already_recorded);
  EXPECT_THAT(store_rows(desk.place.store().open(), "select state from booking_requests", 1),
              ElementsAre("Success"));
}

TEST_P(Webhooks, DropARepeatThatComesBeforeTheDecision) {
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

TEST_P(Webhooks, OfMarketplaceAKnowTheWebhookKey) {
  reception desk(GetParam());
  const auto key = desk.place.run_well({"webhook-key", "issue"});
  const std::string event = R"({"event":"other"})";
  const auto tell = [&](const header_fields& fields) {
    auto all = fields;
    all.emplace_back("Content-Type", "application/json");
    return ask(desk.server->port(), "POST", "/marketplace-a/webhook", all, event).status;
  };
  const auto bare = key.substr(0, key.find('\n'));
  EXPECT_EQ(tell({{"x-api-key", " " + bare + " "}}), 201U);
  EXPECT_EQ(tell({{"x-api_key", bare}}), 201U);
  EXPECT_EQ(tell({{"x-api-key", "wrong"}}), 401U);
  EXPECT_EQ(tell({}), 401U);
}

TEST_P(Webhooks, AreOnNoOtherPrefix) {
  reception desk(GetParam());
  const auto c = desk.server->partner_of("marketplace-c");
  EXPECT_EQ(
      c.post("/webhook", "{}").body,
      R"({"statusCode":404,"message":"Cannot POST /marketplace-c/webhook","error":"NotFoundException"})");
  EXPECT_EQ(desk.a->get("/webhook").status, 404U);
  EXPECT_EQ(desk.b->post("/webhook", "{}").status, 404U);
  EXPECT_EQ(desk.b->post("//webhook", "{}").status, 404U);
}

TEST_P(Webhooks, RefuseWhatIsNotAnEventOfMarketplaceA) {
  reception desk(GetParam());
  const edit none{"/event", "null"};
  const std::vector<refused_body> refused{
      {{{"/foo", "1"}}, "property foo should not exist"},
      {{{"/foo", "1"}, {"/event", "5"}, {"/guest", R"({"bar":1})"}},
       "property foo should not exist, event must be a string, guest.property bar should not exist"},
      {{{"/guest", R"({"name":5})"}}, "guest.name must be a string"},
      {{{"/guest", "7"}}, "guest must be an object"},
      {{{"/guest_email", "[]"}}, "guest_email must be a string"},
      {{{"/offer_api_reference", "true"}}, "offer_api_reference must be a string or a number"},
      {{{"/move_in_date", "5"}}, "move_in_date must be a string"},
      {{{"/contract_price_amount", R"("90000")"}},
       "contract_price_amount must be a number conforming to the specified constraints"},
      {{{"/event", R"("")"}}, "Uniplaces-style webhook event is required"},
      {{none}, "Uniplaces-style webhook event is required"},
      {{{"/offer_api_reference", "null"}}, "offer_api_reference (or offer_id) and booking_id are required"},
      {{{"/offer_api_reference", R"("")"}}, "offer_api_reference (or offer_id) and booking_id are required"},
      {{{"/booking_id", "null"}}, "offer_api_reference (or offer_id) and booking_id are required"},
      {{{"/move_in_date", "null"}}, "Invalid move_in_date or move_out_date"},
      {{{"/move_out_date", R"("2099-02-30")"}}, "Invalid move_in_date or move_out_date"},
      {{{"/move_out_date", R"("99999-01-01")"}}, "Invalid move_in_date or move_out_date"},
      {{{"/contract_price_amount", "1e308"}}, "A numeric value is out of range."},
      {{{"/contract_price_amount", "10000000000"}}, "A numeric value is out of range."},
      {{{"/guests_number", "1.5"}}, "A value has an invalid format."},
      {{{"/guests_number", "1e300"}}, "A numeric value is out of range."},
      {{{"/guest_email", '"' + std::string(129, 'x') + '"'}}, "A value is too long for its field."},
      {{{"/booking_id", '"' + std::string(257, 'x') + '"'}}, "A value is too long for its field."},
      {{{"/booking_id", R"("a\u0000b")"}}, "A value has an invalid format."},
  };
  desk.expect_refused(refused, [&](const auto& edits) { return desk.tell_a(edits); });
}

TEST_P(Webhooks, RefuseWhatIsNotAnEventOfMarketplaceB) {
  reception desk(GetParam());
  const std::vector<refused_body> refused{
      {{{"/notification_type", "null"}}, "notification_type must be a string"},
      {{{"/notification_type", "5"}, {"/foo", R"("x")"}},
       "property foo should not exist, notification_type must be a string"},
      {{{"/listing_external_reference", "5"}}, "listing_external_reference must be a string"},
      {{{"/booking_price", "68300"}}, "booking_price must be a string"},
      {{{"/listing_lat", "40.5"}}, "listing_lat must be a string"},
      {{{"/notification_type", R"("booking_moved")"}}, "Unsupported notification type"},
      {{{"/notification_type", R"("")"}}, "Unsupported notification type"},
      {{{"/listing_external_reference", "null"}}, "listing_external_reference and booking_uuid are required"},
      {{{"/booking_uuid", R"(" ")"}}, "listing_external_reference and booking_uuid are required"},
      {{{"/booking_start_date", R"("x")"}}, "Invalid booking_start_date or booking_end_date"},
      {{{"/booking_end_date", "null"}}, "Invalid booking_start_date or booking_end_date"},
      {{{"/booking_end_date", R"("2099-13-01 10:00")"}}, "Invalid booking_start_date or booking_end_date"},
      {{{"/booking_price", R"("1e308")"}}, "A numeric value is out of range."},
      {{{"/booking_price", R"("1e999")"}}, "A numeric value is out of range."},
      {{{"/tenant_phone", '"' + std::string(65, '1') + '"'}}, "A value is too long for its field."},
  };
  desk.expect_refused(refused, [&](const auto& edits) { return desk.tell_b(edits); });
}

TEST_P(Webhooks, FailInTheBackgroundWhatOnlyTheRulesRefuse) {
  reception desk(GetParam());
  for (const auto* price : {R"("")", R"("abc")", R"("0")", R"("-5")", R"("nan")", R"("1 000")"})
    EXPECT_EQ(desk.tell_b({{"/booking_price", price}}).body, ok) << price;
  EXPECT_EQ(desk.tell_b({{"/booking_end_date", R"("2099-03-01")"}}).body, ok);
  EXPECT_EQ(desk.tell_b({{"/booking_end_date", R"("2000-01-01")"}}).body, ok);
  const std::string unpaid = "provider_payment_missing", reversed = "check_out_not_after_check_in";
  EXPECT_THAT(desk.decided(8, "refusal", 1),
              ElementsAre(unpaid, unpaid, unpaid, unpaid, unpaid, unpaid, reversed, reversed));
  EXPECT_EQ(desk.nights_of("u1"), "[]");
}

} // namespace
} // namespace roost::testing
