#include "http/partner/partner_bodies.hpp"
#include "http/support/refusal.hpp"
#include "support/edited_json.hpp"

#include <gtest/gtest.h>

/// The webhook events of marketplaces A and B, and the messages of refusals.
namespace roost::http::testing::webhook_event_test {
using support::edit;
using support::edited;
using action = webhook_event::action;

constexpr std::string_view good_a =
    R"({"event":"booking-paid","offer_api_reference":"771","booking_id":42,"move_in_date":"2027-02-01",)"
    R"("move_out_date":"2027-05-01","contract_price_amount":68300,"guest_name":"Ada  Mary Marsh",)"
    R"("guest_email":"ada@guests.example","guests_number":2})";
constexpr std::string_view good_b =
    R"({"notification_type":"booking_paid","listing_external_reference":"771","booking_uuid":"b-1",)"
    R"("booking_start_date":"2027-02-01 00:00:00","booking_end_date":"2027-05-01","booking_price":"68300",)"
    R"("tenant_first_name":"Ada","tenant_last_name":"Marsh","tenant_email":"ada@guests.example","tenant_phone":"+1"})";

webhook_event a(const std::vector<edit>& edits = {}) {
  auto body = edited(good_a, edits);
  return parse_marketplace_a_event(body);
}

webhook_event b(const std::vector<edit>& edits = {}) {
  auto body = edited(good_b, edits);
  return parse_marketplace_b_event(body);
}

std::string refusal_a(const std::vector<edit>& edits) {
  return refusal_of(parse_marketplace_a_event, edited(good_a, edits));
}

std::string refusal_b(const std::vector<edit>& edits) {
  return refusal_of(parse_marketplace_b_event, edited(good_b, edits));
}

TEST(MarketplaceAEvent, ReadsAPaidBooking) {
  const auto event = a();
  EXPECT_EQ(event.requested, action::book);
  EXPECT_EQ(event.listing_reference, "771");
  EXPECT_FALSE(event.linked_only);
  EXPECT_EQ(event.booking.reference, "42");
  EXPECT_EQ(domain::to_string(event.booking.check_in), "2027-02-01");
  EXPECT_EQ(domain::to_string(event.booking.check_out), "2027-05-01");
  EXPECT_EQ(event.booking.provider_payment->cents, 683'00);
  EXPECT_EQ(event.booking.occupants, 2);
  EXPECT_EQ(event.booking.tenant.first_name, "Ada");
  EXPECT_EQ(event.booking.tenant.last_name, "Mary Marsh");
}

TEST(MarketplaceAEvent, RecognizesItsEventsInEverySpelling) {
  for (const auto* name : {"\"booking_paid\"", "\"BOOKING-PAID-SUCCESS\"", "\"Payment_Confirmed\""})
    EXPECT_EQ(a({{"/event", name}}).requested, action::book) << name;
  for (const auto* name : {"\"booking-cancelled\"", "\"booking_canceled\"", "\"Booking-Rejected\""})
    EXPECT_EQ(a({{"/event", name}}).requested, action::cancel) << name;
  EXPECT_EQ(a({{"/event", "\"booking-viewed\""}}).requested, action::none);
}

TEST(MarketplaceAEvent, RequiresNothingElseOfAnIgnoredEvent) {
  auto body = std::string{R"({"event":"offer-published"})"};
  const auto event = parse_marketplace_a_event(body);
  EXPECT_EQ(event.requested, action::none);
  EXPECT_EQ(event.name, "offer-published");
}

TEST(MarketplaceAEvent, RequiresAnEvent) {
  for (const auto* none : {"", "null", "\" \""})
    EXPECT_EQ(refusal_a({{"/event", none}}), "Uniplaces-style webhook event is required") << none;
}

TEST(MarketplaceAEvent, RequiresAUnitAndABooking) {
  const std::string needed = "offer_api_reference (or offer_id) and booking_id are required";
  EXPECT_EQ(refusal_a({{"/offer_api_reference", ""}}), needed);
  EXPECT_EQ(refusal_a({{"/booking_id", "\" \""}}), needed);
  const auto by_offer = a({{"/offer_api_reference", "\"\""}, {"/offer_id", "9"}});
  EXPECT_EQ(by_offer.listing_reference, "9");
  EXPECT_TRUE(by_offer.linked_only);
  EXPECT_EQ(a({{"/booking_id", ""}, {"/booking_Id", "\"alias\""}}).booking.reference, "alias");
}

TEST(MarketplaceAEvent, RequiresValidDatesForAPaidBookingOnly) {
  const std::string invalid = "Invalid move_in_date or move_out_date";
  EXPECT_EQ(refusal_a({{"/move_in_date", "\"2027-02-30\""}}), invalid);
  EXPECT_EQ(refusal_a({{"/move_out_date", ""}}), invalid);
  EXPECT_EQ(refusal_a({{"/move_out_date", ""}, {"/event", "\"booking-cancelled\""}}), "");
}

/// A number may be sent in any form, and the cancellation's form need not be that of the booking.
TEST(MarketplaceAEvent, ReadsAnIdThatIsANumberInAnyForm) {
  const auto reference = [](const std::string& id) {
    std::string body = R"({"event":"booking-cancelled","offer_id":)" + id + R"(,"booking_id":)" + id + "}";
    const auto event = parse_marketplace_a_event(body);
    EXPECT_EQ(event.listing_reference, event.booking.reference);
    return event.booking.reference;
  };
  for (const auto* same : {"100000", "100000.0", "1e5", "10.0E+4", R"("100000")"})
    EXPECT_EQ(reference(same), "100000") << same;
  EXPECT_EQ(reference("123456789012345678901234"), "123456789012345678901234");
  EXPECT_EQ(reference("9007199254740993.0"), "9007199254740993") << "no double holds it";
  for (const auto* large : {"1e256", "1e999999999", "1e-300"}) {
    std::string body =
        R"({"event":"booking-cancelled","offer_id":1,"booking_id":)" + std::string(large) + "}";
    EXPECT_EQ(refusal_of(parse_marketplace_a_event, std::move(body)), "A value is too long for its field.")
        << large;
  }
}

TEST(MarketplaceAEvent, RefusesAPriceOfThirtyDigitsAsOutOfRange) {
  std::string body(good_a);
  body.replace(body.find("68300"), 5, "123456789012345678901234567890");
  EXPECT_EQ(refusal_of(parse_marketplace_a_event, std::move(body)), "A numeric value is out of range.");
}

TEST(MarketplaceAEvent, FallsBackToTheTotalForThePrice) {
  EXPECT_EQ(a({{"/contract_price_amount", ""}, {"/booking_total", "100"}}).booking.provider_payment->cents,
            100);
  EXPECT_EQ(a({{"/booking_total", "100"}}).booking.provider_payment->cents, 683'00);
  EXPECT_FALSE(a({{"/contract_price_amount", "0"}}).booking.provider_payment);
  EXPECT_EQ(refusal_a({{"/contract_price_amount", "10000000000"}}), "A numeric value is out of range.");
}

TEST(MarketplaceAEvent, ReadsTheGuestFromEitherForm) {
  const auto nested =
      a({{"/guest_name", ""}, {"/guest_email", ""}, {"/guest", R"({"name":"Bo","email":"bo@x.example"})"}});
  EXPECT_EQ(nested.booking.tenant.first_name, "Bo");
  EXPECT_EQ(nested.booking.tenant.last_name, "Tenant");
  EXPECT_EQ(nested.booking.tenant.email, "bo@x.example");
  const auto both = a({{"/guest", R"({"name":"Bo","email":"bo@x.example"})"}});
  EXPECT_EQ(both.booking.tenant.first_name, "Ada");
  EXPECT_EQ(both.booking.tenant.email, "ada@guests.example");
  const auto none = a({{"/guest_name", ""}, {"/guest_email", ""}});
  EXPECT_EQ(none.booking.tenant.first_name, "Guest");
  EXPECT_EQ(none.booking.tenant.email, "guest-42@placeholder.invalid");
}

TEST(MarketplaceAEvent, UsesTheLastOfARepeatedKeyOfTheGuest) {
  std::string body = R"({"event":"booking-paid","offer_id":1,"booking_id":2,"move_in_date":"2027-02-01",)"
                     R"("move_out_date":"2027-05-01","guest":{"name":"Eve","name":"Ada"}})";
  EXPECT_EQ(parse_marketplace_a_event(body).booking.tenant.first_name, "Ada");
}

TEST(MarketplaceAEvent, RefusesUnknownFieldsAndOtherTypes) {
  EXPECT_EQ(refusal_a({{"/pet", "1"}}), "property pet should not exist");
  EXPECT_EQ(refusal_a({{"/guest", R"({"phone":"1"})"}}), "guest.property phone should not exist");
  EXPECT_EQ(refusal_a({{"/guest", "7"}}), "guest must be an object");
  EXPECT_EQ(refusal_a({{"/guest", R"({"name":7})"}}), "guest.name must be a string");
  EXPECT_EQ(refusal_a({{"/admin_fee_amount", "\"1\""}, {"/booking_date", "1"}}),
            "booking_date must be a string, admin_fee_amount must be a number conforming to the specified "
            "constraints");
}

TEST(MarketplaceAEvent, CountsOccupantsInWholeNumbers) {
  EXPECT_EQ(a({{"/guests_number", ""}}).booking.occupants, 1);
  EXPECT_EQ(a({{"/guests_number", "-3"}}).booking.occupants, 1);
  EXPECT_EQ(refusal_a({{"/guests_number", "2.5"}}), "A value has an invalid format.");
  EXPECT_EQ(refusal_a({{"/guests_number", "4294967296"}}), "A numeric value is out of range.");
}

TEST(MarketplaceBEvent, ReadsAPaidBooking) {
  const auto event = b();
  EXPECT_EQ(event.requested, action::book);
  EXPECT_EQ(event.listing_reference, "771");
  EXPECT_EQ(event.booking.reference, "b-1");
  EXPECT_EQ(domain::to_string(event.booking.check_in), "2027-02-01");
  EXPECT_EQ(event.booking.provider_payment->cents, 683'00);
  EXPECT_EQ(event.booking.occupants, 1);
  EXPECT_EQ(event.booking.tenant.phone, "+1");
}

TEST(MarketplaceBEvent, RecognizesItsTypesInAnyLetterCase) {
  EXPECT_EQ(b({{"/notification_type", "\"BOOKING_PAID\""}}).requested, action::book);
  EXPECT_EQ(b({{"/notification_type", "\"booking_canceled\""}}).requested, action::cancel);
  EXPECT_EQ(b({{"/notification_type", "\"Booking_Cancelled\""}}).requested, action::cancel);
  EXPECT_EQ(refusal_b({{"/notification_type", "\"booking-paid\""}}), "Unsupported notification type");
  for (const auto* none : {"", "null", "7"})
    EXPECT_EQ(refusal_b({{"/notification_type", none}}), "notification_type must be a string") << none;
}

TEST(MarketplaceBEvent, RequiresAUnitAndABooking) {
  const std::string needed = "listing_external_reference and booking_uuid are required";
  EXPECT_EQ(refusal_b({{"/listing_external_reference", ""}}), needed);
  EXPECT_EQ(refusal_b({{"/booking_uuid", "\" \""}}), needed);
}

TEST(MarketplaceBEvent, RequiresValidDatesForAPaidBookingOnly) {
  const std::string invalid = "Invalid booking_start_date or booking_end_date";
  EXPECT_EQ(refusal_b({{"/booking_start_date", "\"01.02.2027\""}}), invalid);
  EXPECT_EQ(refusal_b({{"/booking_end_date", ""}}), invalid);
  EXPECT_EQ(refusal_b({{"/booking_end_date", ""}, {"/notification_type", "\"booking_cancelled\""}}), "");
}

TEST(MarketplaceBEvent, ReadsAPriceThatIsANumberInAString) {
  EXPECT_EQ(b({{"/booking_price", "\"100.5\""}}).booking.provider_payment->cents, 101);
  for (const auto* none : {"\"\"", "\"abc\"", "\"100 EUR\"", "\"0\"", "\"-5\""})
    EXPECT_FALSE(b({{"/booking_price", none}}).booking.provider_payment) << none;
  EXPECT_EQ(refusal_b({{"/booking_price", "\"10000000000\""}}), "A numeric value is out of range.");
  EXPECT_EQ(refusal_b({{"/booking_price", "683"}}), "booking_price must be a string");
}

TEST(MarketplaceBEvent, TruncatesNamesAndRefusesALongAddress) {
  const auto text = [](std::size_t length) { return '"' + std::string(length, 'x') + '"'; };
  EXPECT_EQ(b({{"/tenant_first_name", text(200)}}).booking.tenant.first_name.size(), 128U);
  EXPECT_EQ(refusal_b({{"/tenant_email", text(129)}}), "A value is too long for its field.");
  EXPECT_EQ(refusal_b({{"/tenant_first_name", R"("a\u0000")"}}), "A value has an invalid format.");
}

TEST(MarketplaceBEvent, ChecksTheTypesOfUnusedFields) {
  EXPECT_EQ(refusal_b({{"/listing_lat", "1.5"}}), "listing_lat must be a string");
  EXPECT_EQ(refusal_b({{"/listing_lat", "\"1.5\""}}), "");
  EXPECT_EQ(refusal_b({{"/pet", "1"}}), "property pet should not exist");
}

} // namespace roost::http::testing::webhook_event_test
