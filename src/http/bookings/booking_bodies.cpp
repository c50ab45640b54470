#include "http/bookings/booking_bodies.hpp"

#include "http/json/body.hpp"
#include "http/partner/tenant_body.hpp"
#include "json/writer.hpp"

#include <algorithm>
#include <utility>

namespace roost::http {

namespace {

constexpr std::size_t max_reason_length = 500;

struct uuid_value {
  constexpr json::facts schema_facts() const { return {.type = "string", .format = "uuid"}; }
  std::optional<domain::uuid> read(object_reader& body, std::string_view key, presence expected) const {
    if (!body.has(key) && expected == presence::optional) return std::nullopt;
    const auto text = body.text_if(key);
    auto id = text ? domain::parse_uuid(*text) : std::nullopt;
    if (!id || id->is_nil()) {
      body.refuse(std::string{key} + " must be a UUID");
      return std::nullopt;
    }
    return id;
  }
};

struct calendar_day {
  constexpr json::facts schema_facts() const { return {.type = "string", .format = "date"}; }
  std::optional<domain::date> read(object_reader& body, std::string_view key, presence expected) const {
    if (!body.has(key) && expected == presence::optional) return std::nullopt;
    const auto text = body.text_if(key);
    auto day = text ? domain::parse_date(*text) : std::nullopt;
    if (!day) body.refuse(std::string{key} + " must be a real date written YYYY-MM-DD");
    return day;
  }
};

constexpr auto unit_member = http::field("unitId", uuid_value{}, &stay_body::unit_id, "The unit's UUID");
constexpr auto platform_member =
    http::field("platform", http::kind::text{}, &stay_body::platform_name,
                "A configured platform, whose card sets the markup; null or missing: no platform, and the "
                "exact rent",
                json::optional);
constexpr auto check_in_member =
    http::field("checkInDate", calendar_day{}, &stay_body::check_in, "The first night");
constexpr auto check_out_member =
    http::field("checkOutDate", calendar_day{}, &stay_body::check_out, "After checkInDate");
constexpr auto occupants_member =
    http::field("occupants", http::kind::whole{1, domain::max_capacity}, &stay_body::occupants,
                "All occupants, the lead tenant included");
constexpr auto payment_member =
    http::field("platformProviderPaymentValue", http::kind::amount{}, &stay_body::provider_payment,
                "What the platform collected and pays to the landlord; refused without a platform. Some "
                "platforms must state it, as in the partner API",
                json::optional);

constexpr auto quote_request =
    json::object<stay_body>("QuoteRequest", unit_member, platform_member, check_in_member, check_out_member,
                            occupants_member, payment_member)
        .closed()
        .example(R"({"unitId":"0193a0a0-0000-7000-8000-000000000001","platform":null,
"checkInDate":"2027-02-01","checkOutDate":"2027-05-01","occupants":1})");

constexpr auto booking_creation =
    json::object<booking_body>("BookingCreation",
                               http::field("id", uuid_value{}, &booking_body::id,
                                           "The booking's UUID, if the client chooses it", json::optional),
                               unit_member, platform_member, check_in_member, check_out_member,
                               occupants_member,
                               http::object_field("tenant", tenant_body, &booking_body::tenant,
                                                  http::object_refusal{"must be a non-empty object", true},
                                                  "The lead tenant. Other members are ignored"),
                               payment_member)
        .closed()
        .example(R"({"unitId":"0193a0a0-0000-7000-8000-000000000001","platform":null,
"checkInDate":"2027-02-01","checkOutDate":"2027-05-01","occupants":1,"tenant":{"firstName":"Ada",
"lastName":"Marsh","email":"ada@guests.example","phone":"+34 600 000 000"}})");

constexpr auto booking_change =
    json::object<booking_change_body>(
        "BookingChange",
        http::field("unitId", uuid_value{}, &booking_change_body::unit_id, "A unit of the account",
                    json::optional),
        http::field("checkInDate", calendar_day{}, &booking_change_body::check_in, "The first night",
                    json::optional),
        http::field("checkOutDate", calendar_day{}, &booking_change_body::check_out, "After checkInDate",
                    json::optional),
        http::field("occupants", http::kind::whole{1, domain::max_capacity}, &booking_change_body::occupants,
                    "All occupants, the lead tenant included", json::optional))
        .closed()
        .example(R"({"checkInDate":"2027-03-01","checkOutDate":"2027-05-01"})");

struct cancellation_body {
  std::string reason;
};
constexpr auto booking_cancellation =
    json::object<cancellation_body>(
        "BookingCancellation",
        http::field("reason", http::kind::line{max_reason_length, http::kind::filled::not_blank},
                    &cancellation_body::reason, "Kept in the audit log and in the notification"))
        .closed()
        .example(R"({"reason":"The guest's job fell through"})");

/// Checks what several members say together.
void check_stay(json_body& body, stay_body& sent, std::span<const domain::platform> platforms) {
  if (sent.check_in && sent.check_out && *sent.check_out <= *sent.check_in)
    body.refuse("checkOutDate must be after checkInDate");
  if (!sent.platform_name) {
    if (sent.provider_payment)
      body.refuse("platformProviderPaymentValue must be left out without a platform");
    return;
  }
  const auto platform = std::ranges::find(platforms, *sent.platform_name, &domain::platform::name);
  if (platform == platforms.end())
    body.refuse("platform must be a configured platform");
  else
    sent.platform = &*platform;
}

template <typename Object>
auto read_stay(std::string& text, const Object& object, std::span<const domain::platform> platforms) {
  json_body body{text, column_errors::named};
  auto sent = read_fields(body, object);
  check_stay(body, sent, platforms);
  body.throw_if_any();
  return sent;
}

} // namespace

stay_body read_quote_request(std::string& body, std::span<const domain::platform> platforms) {
  return read_stay(body, quote_request, platforms);
}

booking_body read_booking_creation(std::string& body, std::span<const domain::platform> platforms) {
  return read_stay(body, booking_creation, platforms);
}

booking_change_body read_booking_change(std::string& body) {
  return read_body(body, booking_change, column_errors::named);
}

std::string read_booking_cancellation(std::string& body) {
  return read_body(body, booking_cancellation, column_errors::named).reason;
}

std::string text_of(const booking_body& body) {
  json::writer json;
  json.begin_array();
  json.value(domain::to_string(body.unit_id));
  json.value(body.platform_name.value_or(""));
  json.value(domain::to_string(*body.check_in));
  json.value(domain::to_string(*body.check_out));
  json.value(std::to_string(body.occupants));
  json.value(body.provider_payment ? std::to_string(body.provider_payment->cents) : std::string{});
  const auto& tenant = body.tenant;
  for (const auto& text : {std::optional(tenant.first_name), tenant.last_name, std::optional(tenant.email),
                           tenant.fiscal_id, tenant.phone, tenant.nationality})
    json.value(text.value_or(""));
  json.end_array();
  return std::string{json.text()};
}

void add_booking_body_schemas(json::schemas& to) {
  to.add(quote_request);
  to.add(booking_creation);
  to.add(booking_change);
  to.add(booking_cancellation);
}

} // namespace roost::http
