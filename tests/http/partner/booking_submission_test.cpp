#include "http/partner/partner_bodies.hpp"
#include "http/support/refusal.hpp"
#include "support/edited_json.hpp"

#include <gmock/gmock.h>

/// POST /<prefix>/bookings: the fields of a body, and the messages of refusals.
namespace roost::http::testing::booking_submission_test {
using support::edit;
using support::edited;

constexpr std::string_view good =
    R"({"checkInDate":"2027-02-01","checkOutDate":"2027-05-01","externalId":"771",)"
    R"("bookingId":"0C1B5D1E-4A0E-4C57-9C8B-6C2E1B1F0A11","numberOfExtraTenants":2,)"
    R"("platformProviderPaymentValue":683.005,"otaCommissionValue":10,)"
    R"("tenant":{"firstName":"Ada","lastName":"Marsh","email":"ada@guests.example","fiscalId":"F1","phone":"+1",)"
    R"("nationality":"gb"}})";

domain::booking_request read(const std::vector<edit>& edits = {}) {
  auto body = edited(good, edits);
  return parse_booking_submission(body);
}

std::string refusal(const std::vector<edit>& edits) {
  return refusal_of(parse_booking_submission, edited(good, edits));
}

std::string text_of(std::size_t length) { return '"' + std::string(length, 'x') + '"'; }

const std::string too_long = "A value is too long for its field.", missing = "A required value is missing.",
                  invalid = "A value has an invalid format.",
                  out_of_range = "A numeric value is out of range.";

TEST(BookingSubmission, ReadsEveryField) {
  const auto submission = read();
  EXPECT_EQ(domain::to_string(submission.check_in), "2027-02-01");
  EXPECT_EQ(domain::to_string(submission.check_out), "2027-05-01");
  EXPECT_EQ(submission.external_id, "771");
  EXPECT_EQ(submission.reference, "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a11"); // case-insensitive
  EXPECT_EQ(submission.occupants, 2);
  EXPECT_EQ(submission.provider_payment->cents, 683'01);
  EXPECT_EQ(submission.ota_commission->cents, 10'00);
  EXPECT_EQ(submission.tenant.first_name, "Ada");
  EXPECT_EQ(submission.tenant.last_name, "Marsh");
  EXPECT_EQ(submission.tenant.email, "ada@guests.example");
  EXPECT_EQ(submission.tenant.fiscal_id, "F1");
  EXPECT_EQ(submission.tenant.phone, "+1");
  EXPECT_EQ(submission.tenant.nationality, "gb");
}

TEST(BookingSubmission, RequiresOnlyDatesUnitAndLeadTenant) {
  const auto submission = read({{"/bookingId", ""},
                                {"/numberOfExtraTenants", ""},
                                {"/platformProviderPaymentValue", ""},
                                {"/otaCommissionValue", ""},
                                {"/tenant", R"({"firstName":"A","email":"not an address"})"}});
  EXPECT_FALSE(submission.reference);
  EXPECT_EQ(submission.occupants, 1);
  EXPECT_FALSE(submission.provider_payment);
  EXPECT_FALSE(submission.ota_commission);
  EXPECT_FALSE(submission.tenant.last_name);
}

TEST(BookingSubmission, CountsAtLeastOneOccupant) {
  EXPECT_EQ(read({{"/numberOfExtraTenants", "0"}}).occupants, 1);
  EXPECT_EQ(read({{"/numberOfExtraTenants", "1"}}).occupants, 1);
  EXPECT_EQ(read({{"/numberOfExtraTenants", "null"}}).occupants, 1);
  EXPECT_EQ(refusal({{"/numberOfExtraTenants", "-1"}}), "numberOfExtraTenants must not be less than 0");
  EXPECT_EQ(refusal({{"/numberOfExtraTenants", "1.5"}}), invalid);
  EXPECT_EQ(refusal({{"/numberOfExtraTenants", "2147483648"}}), out_of_range);
}

TEST(BookingSubmission, DoesNotCompareTheDates) {
  EXPECT_EQ(refusal({{"/checkOutDate", "\"2027-02-01\""}}), "");
  EXPECT_EQ(refusal({{"/checkOutDate", "\"2026-01-01\""}}), "");
  EXPECT_EQ(refusal({{"/checkInDate", "\"2027-02-30\""}}),
            "checkInDate must be a valid ISO 8601 date string");
  EXPECT_EQ(refusal({{"/checkOutDate", ""}}), "checkOutDate must be a valid ISO 8601 date string");
}

TEST(BookingSubmission, AcceptsAUnitIdOfOneTo256Characters) {
  EXPECT_EQ(read({{"/externalId", text_of(256)}}).external_id.size(), 256U);
  EXPECT_EQ(refusal({{"/externalId", text_of(257)}}), too_long);
  EXPECT_EQ(refusal({{"/externalId", "\"\""}}), "externalId must be a string");
  EXPECT_EQ(refusal({{"/externalId", "771"}}), "externalId must be a string");
  EXPECT_EQ(refusal({{"/externalId", R"("a\u0000b")"}}), invalid);
}

TEST(BookingSubmission, AcceptsABookingIdThatIsAUuid) {
  EXPECT_FALSE(read({{"/bookingId", "null"}}).reference);
  for (const auto* bad : {"\"\"", "7", "\"0c1b5d1e\"", "\"0c1b5d1e-4a0e-4c57-1c8b-6c2e1b1f0a11\""})
    EXPECT_EQ(refusal({{"/bookingId", bad}}), "bookingId must be a UUID") << bad;
}

TEST(BookingSubmission, MayHaveNumbersOfAnySize) {
  const auto refusal_of_changed = [](std::string_view old, const std::string& replacement) {
    std::string body(good);
    body.replace(body.find(old), old.size(), replacement);
    return refusal_of(parse_booking_submission, std::move(body));
  };
  for (const std::string number : {"123456789012345678901234567890", "1e400"}) {
    EXPECT_EQ(refusal_of_changed(R"("tenant":{)", R"("tenant":{"age":)" + number + ','), "") << number;
    EXPECT_EQ(refusal_of_changed("683.005", number), out_of_range) << number;
    EXPECT_EQ(refusal_of_changed("Tenants\":2", "Tenants\":" + number), out_of_range) << number;
    EXPECT_EQ(refusal_of_changed("\"771\"", number), "externalId must be a string") << number;
    EXPECT_EQ(refusal_of_changed("\"0C1B5D1E-4A0E-4C57-9C8B-6C2E1B1F0A11\"", number),
              "bookingId must be a UUID")
        << number;
  }
}

TEST(BookingSubmission, RequiresATenantThatIsNotEmpty) {
  for (const auto* bad : {"{}", "null", "[]", "\"Ada\""})
    EXPECT_EQ(refusal({{"/tenant", bad}}), "tenant must be a non-empty object") << bad;
  EXPECT_EQ(refusal({{"/tenant", R"({"pet":"cat"})"}}), missing);
}

TEST(BookingSubmission, RefusesTenantsThatTheirColumnsCannotHold) {
  EXPECT_EQ(read({{"/tenant/firstName", text_of(128)}}).tenant.first_name.size(), 128U);
  EXPECT_EQ(refusal({{"/tenant/firstName", text_of(129)}}), too_long);
  EXPECT_EQ(refusal({{"/tenant/phone", text_of(65)}}), too_long);
  EXPECT_EQ(refusal({{"/tenant/email", "\"\""}}), missing);
  EXPECT_EQ(refusal({{"/tenant/email", "7"}}), invalid);
  EXPECT_EQ(refusal({{"/tenant/nationality", "\"G1\""}}), invalid);
  EXPECT_EQ(refusal({{"/tenant/nationality", "\"GBR\""}}), too_long);
}

TEST(BookingSubmission, ReportsAnInvalidFormatBeforeALengthBeforeAMissingValue) {
  EXPECT_EQ(refusal({{"/tenant/firstName", ""}, {"/tenant/phone", text_of(65)}, {"/tenant/email", "7"}}),
            invalid);
  EXPECT_EQ(refusal({{"/tenant/firstName", ""}, {"/tenant/phone", text_of(65)}}), too_long);
}

TEST(BookingSubmission, UsesTheLastOfARepeatedKeyOfTheTenant) {
  std::string body{good};
  body.insert(body.find("\"firstName\""), R"("firstName":"Eve",)");
  EXPECT_EQ(parse_booking_submission(body).tenant.first_name, "Ada");
}

TEST(BookingSubmission, RefusesUnknownKeysOutsideTheTenantOnly) {
  EXPECT_EQ(refusal({{"/rent", "1"}, {"/checkInTime", "1"}}),
            "property rent should not exist, property checkInTime should not exist");
  EXPECT_EQ(refusal({{"/tenant/pet", "\"cat\""}}), "");
}

TEST(BookingSubmission, ReportsAllProblemsInTheOrderOfItsFields) {
  auto body = std::string{R"({"tenant":7,"externalId":1,"checkOutDate":"x","rent":5,"bookingId":"y"})"};
  EXPECT_EQ(refusal_of(parse_booking_submission, body),
            "property rent should not exist, checkInDate must be a valid ISO 8601 date string, "
            "checkOutDate must be a valid ISO 8601 date string, externalId must be a string, "
            "bookingId must be a UUID, tenant must be a non-empty object");
}

TEST(BookingSubmission, RefusesAmountsOutOfRange) {
  EXPECT_EQ(refusal({{"/platformProviderPaymentValue", "100000000"}}), out_of_range);
  EXPECT_EQ(refusal({{"/otaCommissionValue", "-1"}}), "otaCommissionValue must not be less than 0");
  EXPECT_EQ(refusal({{"/otaCommissionValue", "\"1\""}}),
            "otaCommissionValue must not be less than 0, "
            "otaCommissionValue must be a number conforming to the specified constraints");
}

TEST(BookingSubmission, ByPutHasTheReferenceOfThePath) {
  const std::string reference = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a11";
  EXPECT_EQ(require_reference(read(), reference), reference);
  EXPECT_EQ(require_reference(read(), "0C1B5D1E-4A0E-4C57-9C8B-6C2E1B1F0A11"), reference);
  EXPECT_EQ(require_reference(read({{"/bookingId", ""}}), reference), reference);
  EXPECT_THROW(require_reference(read(), "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a12"), error);
  EXPECT_THROW(require_reference(read(), "90210"), error);
}

} // namespace roost::http::testing::booking_submission_test
