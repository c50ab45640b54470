#include "domain/unit.hpp"
#include "http/json/body.hpp"
#include "http/partner/partner_bodies.hpp"

#include <algorithm>

namespace roost::http {

namespace {

using domain::booking_request;
using domain::tenant_details;

/// The unit's ID; values that the column cannot hold are column problems.
struct unit_reference {
  constexpr json::facts schema_facts() const {
    return {.type = "string", .min_length = 1, .max_length = domain::longest_external_id};
  }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence expected) const {
    auto id = body.text(key, expected);
    if (!id) return id;
    if (id->empty()) body.refuse(std::string{key} + " must be a string");
    if (id->find('\0') != id->npos) body.columns().invalid_format(); // no column accepts NUL
    if (length_of(*id) > domain::longest_external_id) body.columns().too_long();
    return id;
  }
};

struct booking_reference {
  constexpr json::facts schema_facts() const {
    return {.type = "string", .format = "uuid", .required = false};
  }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence) const {
    if (!body.has(key)) return std::nullopt;
    const auto id = body.text_if(key);
    if (id && domain::is_rfc_uuid(*id)) return domain::normalized_reference(*id);
    body.refuse(std::string{key} + " must be a UUID");
    return std::nullopt;
  }
};

struct country {
  static constexpr std::size_t letters = 2;

  constexpr json::facts schema_facts() const {
    return {.type = "string", .nullable = true, .required = false};
  }
  std::optional<std::string> read(object_reader& tenant, std::string_view key, presence) const {
    auto code = tenant.column_text(key, letters);
    constexpr auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (code && length_of(*code) <= letters &&
        (code->size() != letters || !std::ranges::all_of(*code, is_letter)))
      tenant.columns().invalid_format();
    return code;
  }
};

constexpr kind::column_text tenant_text{domain::longest_tenant_text};
constexpr kind::column_text needed_tenant_text{domain::longest_tenant_text, true};

/// Every field of the tenant may be null; an empty text counts as missing.
constexpr auto tenant_body = json::object<tenant_details>(
    "",
    field("firstName", needed_tenant_text, &tenant_details::first_name,
          "Given name; an empty one counts as missing"),
    field("lastName", tenant_text, &tenant_details::last_name, "Family name"),
    field("email", needed_tenant_text, &tenant_details::email,
          "Email address; its format is not checked. It identifies an existing tenant of the landlord in any "
          "letter case; that tenant's details stay unchanged"),
    field("fiscalId", tenant_text, &tenant_details::fiscal_id,
          "Tax number. It identifies a tenant if the email address does not"),
    field("phone", kind::column_text{domain::longest_tenant_phone}, &tenant_details::phone,
          "Phone number, in any form"),
    field("nationality", country{}, &tenant_details::nationality,
          "Country, ISO 3166-1 alpha-2: two letters in any case"));

constexpr auto submission_body =
    json::object<booking_request>(
        "BookingSubmission",
        field("checkInDate", kind::day{}, &booking_request::check_in,
              "Check-in day, YYYY-MM-DD: the first night"),
        field("checkOutDate", kind::day{}, &booking_request::check_out,
              "Check-out day, YYYY-MM-DD, after checkInDate; that is checked in the background"),
        field("externalId", unit_reference{}, &booking_request::external_id,
              "Your ID of the unit; on a single-landlord prefix the unit's UUID works, too"),
        field("bookingId", booking_reference{}, &booking_request::reference,
              "Your ID of the reservation, in any letter case. Send it: it makes submissions idempotent, "
              "because a repeat is dropped"),
        field(
            "numberOfExtraTenants", kind::count{0},
            [](booking_request& to, std::optional<int> sent) {
              to.occupants = std::max(1, sent.value_or(1));
            },
            "Despite its name, the number of all occupants, the lead tenant included. 0, 1 or missing: one "
            "person",
            json::optional),
        field("platformProviderPaymentValue", kind::amount{}, &booking_request::provider_payment,
              "What you collected and pay to the landlord, in the currency of the landlord's account, stored "
              "with two decimals. Without a value above 0 the booking is refused in the background: the "
              "response is 201 all the same, and you are not notified. Only marketplace D and the booking "
              "engine may leave it out: it is then the rent of the month of check-in with markup, plus the "
              "extra charge of each further occupant. If marketplace D sends exactly that rent for several "
              "occupants, the extra charge is added",
              json::optional),
        field("otaCommissionValue", kind::amount{}, &booking_request::ota_commission,
              "Your commission in the same currency, kept for reference. It changes no payment",
              json::optional),
        object_field("tenant", tenant_body, &booking_request::tenant,
                     object_refusal{"must be a non-empty object", true},
                     "The lead tenant. Other members are ignored"))
        .closed()
        .example(R"({"checkInDate":"2027-02-01","checkOutDate":"2027-05-01","externalId":"771",
"bookingId":"7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a","numberOfExtraTenants":1,"platformProviderPaymentValue":683,
"otaCommissionValue":35,"tenant":{"firstName":"Ada","lastName":"Marsh","email":"ada@guests.example",
"fiscalId":"X1234567L","phone":"+34 600 000 000","nationality":"GB"}})");

struct queued_request {
  domain::uuid id{};
  domain::timestamp at{};
};

constexpr auto itself = [](const queued_request& of, auto yield) { yield(of); };

constexpr auto queued_id = json::object<queued_request>(
    "", json::member("id", &queued_request::id,
                     "The queued request. It is not a booking's ID, and no route looks it up"));

constexpr auto queued_id_and_time = json::object<queued_request>(
    "", json::member("id", &queued_request::id, "The same ID as in identifiers"),
    json::member("createdAt", &queued_request::at, "When the request was queued, in UTC"));

constexpr auto receipt =
    json::object<queued_request>(
        "BookingReceipt",
        json::list("identifiers", itself, queued_id, "One item: the request that was queued"),
        json::list("generatedMaps", itself, queued_id_and_time, "The same request, with its time"),
        json::list("raw", itself, queued_id_and_time, "The same as generatedMaps"))
        .example(R"({"identifiers":[{"id":"0193a0a0-0000-7000-8000-000000000001"}],
"generatedMaps":[{"id":"0193a0a0-0000-7000-8000-000000000001","createdAt":"2026-11-20T09:30:00.000Z"}],
"raw":[{"id":"0193a0a0-0000-7000-8000-000000000001","createdAt":"2026-11-20T09:30:00.000Z"}]})");

} // namespace

domain::booking_request parse_booking_submission(std::string& body) {
  return read_body(body, submission_body);
}

std::string booking_receipt(const domain::uuid& request, domain::timestamp queued_at) {
  return json::text_of(receipt, queued_request{request, queued_at});
}

void add_booking_schemas(json::schemas& to) {
  to.add(submission_body);
  to.add(receipt);
}

} // namespace roost::http
