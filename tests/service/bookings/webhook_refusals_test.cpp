#include "service/support/webhook_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Webhook events of marketplaces A and B that are refused, with the error responses.
namespace roost::testing::webhook_refusals_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ROOST_FOR_SQLITE(WebhookRefusals);

/// Edits of an event and the resulting error message.
struct refused_body {
  std::vector<edit> edits;
  std::string message;
};

/// Expects that each event gets its error message and that none is stored.
template <typename Send>
void expect_refused(webhook_fixture& fixture, const std::vector<refused_body>& bodies, Send send) {
  for (const auto& [edits, message] : bodies) {
    const auto response = send(edits);
    EXPECT_EQ(response.status, 400U) << message;
    EXPECT_EQ(json_at(response.body, "/message"), '"' + message + '"');
  }
  EXPECT_THAT(store_rows(fixture.place.store().open(), "select state from booking_requests", 1), IsEmpty());
}

TEST_P(WebhookRefusals, ApplyToCallersWithoutMarketplaceAsWebhookKey) {
  webhook_fixture fixture(GetParam());
  const auto key = fixture.place.run_or_throw({"webhook-key", "issue"});
  const std::string event = R"({"event":"other"})";
  const auto send = [&](const header_fields& fields) {
    auto all = fields;
    all.emplace_back("Content-Type", "application/json");
    return send_request(fixture.server->port(), "POST", "/marketplace-a/webhook", all, event).status;
  };
  const auto bare = key.substr(0, key.find('\n'));
  EXPECT_EQ(send({{"x-api-key", " " + bare + " "}}), 201U);
  EXPECT_EQ(send({{"x-api_key", bare}}), 201U);
  EXPECT_EQ(send({{"x-api-key", "wrong"}}), 401U);
  EXPECT_EQ(send({}), 401U);
}

TEST_P(WebhookRefusals, ApplyToAnIdOfMarketplaceALinkedByTwoLandlords) {
  auto portfolio = portfolio_of(1);
  const auto other =
      edited(portfolio_of(1), {{account_pointer + "/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002")"},
                               {account_pointer + "/landlordKey", R"("casa-roja")"},
                               {account_pointer + "/users", "[]"},
                               {property_pointer + "/id", R"("33333333-0000-4000-8000-000000000002")"},
                               {unit_pointer(0) + "/id", '"' + unit_id(9) + '"'}});
  portfolio = edited(portfolio, {{"/accounts/1", json_at(other, "/accounts/0")}});
  webhook_fixture fixture(GetParam(), portfolio);
  const auto response = fixture.send_as_a();
  EXPECT_EQ(response.status, 409U);
  EXPECT_EQ(
      response.body,
      R"({"statusCode":409,"message":"Ambiguous reference: matches listings on multiple accounts","error":"ConflictException"})");
  EXPECT_EQ(fixture.send_as_b({}, "casa-roja").body, ok); // its path names the landlord
  EXPECT_EQ(fixture.send_as_b().body, ok);
  EXPECT_THAT(fixture.decided_requests(2, "state", 1), ElementsAre("Success", "Success"));
  EXPECT_THAT(fixture.bookings("cast(b.account_id as text)", 1),
              ::testing::UnorderedElementsAre(account_id, "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002"));
}

TEST_P(WebhookRefusals, ApplyToAllOtherPrefixes) {
  webhook_fixture fixture(GetParam());
  const auto c = fixture.server->partner_of("marketplace-c");
  EXPECT_EQ(
      c.post("/webhook", "{}").body,
      R"({"statusCode":404,"message":"Cannot POST /marketplace-c/webhook","error":"NotFoundException"})");
  EXPECT_EQ(fixture.a->get("/webhook").status, 404U);
  EXPECT_EQ(fixture.b->post("/webhook", "{}").status, 404U);
  EXPECT_EQ(fixture.b->post("//webhook", "{}").status, 404U);
}

TEST_P(WebhookRefusals, ApplyToInvalidEventsOfMarketplaceA) {
  webhook_fixture fixture(GetParam());
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
  expect_refused(fixture, refused, [&](const auto& edits) { return fixture.send_as_a(edits); });
}

TEST_P(WebhookRefusals, ApplyToInvalidEventsOfMarketplaceB) {
  webhook_fixture fixture(GetParam());
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
  expect_refused(fixture, refused, [&](const auto& edits) { return fixture.send_as_b(edits); });
}

TEST_P(WebhookRefusals, AreDeferredToTheDecisionForViolationsOfBookingRules) {
  webhook_fixture fixture(GetParam());
  for (const auto* price : {R"("")", R"("abc")", R"("0")", R"("-5")", R"("nan")", R"("1 000")"})
    EXPECT_EQ(fixture.send_as_b({{"/booking_price", price}}).body, ok) << price;
  EXPECT_EQ(fixture.send_as_b({{"/booking_end_date", R"("2099-03-01")"}}).body, ok);
  EXPECT_EQ(fixture.send_as_b({{"/booking_end_date", R"("2000-01-01")"}}).body, ok);
  const std::string unpaid = "provider_payment_missing", reversed = "check_out_not_after_check_in";
  EXPECT_THAT(fixture.decided_requests(8, "refusal", 1),
              ElementsAre(unpaid, unpaid, unpaid, unpaid, unpaid, unpaid, reversed, reversed));
  EXPECT_EQ(fixture.unavailabilities_of("u1"), "[]");
}

} // namespace roost::testing::webhook_refusals_test
