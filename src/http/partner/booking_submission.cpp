#include "http/partner/booking_submission.hpp"

#include "domain/unit_limits.hpp"
#include "http/json/object_fields.hpp"

#include <algorithm>
#include <limits>

namespace roost::http {

namespace {

using simdjson::dom::element;

constexpr std::size_t longest_name = 128;
constexpr std::size_t longest_phone = 64;
constexpr int most_occupants = std::numeric_limits<std::int32_t>::max();

std::string read_external_id(json_body& body, column_problems& columns) {
  const auto value = body.find("externalId");
  const auto text = value ? as_text(*value) : std::nullopt;
  if (!text || text->empty()) {
    body.refuse("externalId must be a string");
    return {};
  }
  if (text->find('\0') != text->npos) columns.invalid_format(); // no column takes it
  if (length_of(*text) > domain::longest_external_id) columns.too_long();
  return std::string{*text};
}

std::optional<std::string> read_booking_id(json_body& body) {
  const auto value = body.find("bookingId");
  if (!value) return std::nullopt;
  const auto text = as_text(*value);
  if (!text || !domain::is_rfc_uuid(*text)) {
    body.refuse("bookingId must be a UUID");
    return std::nullopt;
  }
  return domain::normalized_reference(*text);
}

/// Every field of the tenant may be null; what is empty counts as missing.
std::optional<std::string> tenant_text(const simdjson::dom::object& tenant, std::string_view key,
                                       std::size_t longest, column_problems& columns) {
  element value;
  if (tenant.at_key(key).get(value) || value.is_null()) return std::nullopt;
  const auto text = as_text(value);
  if (!text || text->find('\0') != text->npos) {
    columns.invalid_format();
    return std::nullopt;
  }
  if (length_of(*text) > longest) columns.too_long();
  if (text->empty()) return std::nullopt;
  return std::string{*text};
}

std::string require(std::optional<std::string> text, column_problems& columns) {
  if (!text) columns.missing();
  return std::move(text).value_or("");
}

std::optional<std::string> nationality_of(const simdjson::dom::object& tenant, column_problems& columns) {
  auto code = tenant_text(tenant, "nationality", 2, columns);
  constexpr auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (code && length_of(*code) <= 2 && (code->size() != 2 || !std::ranges::all_of(*code, letter)))
    columns.invalid_format();
  return code;
}

domain::tenant_details read_tenant(json_body& body, column_problems& columns) {
  const auto value = body.find("tenant");
  simdjson::dom::object tenant;
  if (!value || value->get(tenant) || tenant.size() == 0) {
    body.refuse("tenant must be a non-empty object");
    return {};
  }
  domain::tenant_details details;
  details.first_name = require(tenant_text(tenant, "firstName", longest_name, columns), columns);
  details.last_name = tenant_text(tenant, "lastName", longest_name, columns);
  details.email = require(tenant_text(tenant, "email", longest_name, columns), columns);
  details.fiscal_id = tenant_text(tenant, "fiscalId", longest_name, columns);
  details.phone = tenant_text(tenant, "phone", longest_phone, columns);
  details.nationality = nationality_of(tenant, columns);
  return details;
}

} // namespace

domain::booking_request parse_booking_submission(std::string& text) {
  constexpr auto optional = presence::optional;
  json_body body{text};
  column_problems columns;
  object_fields fields{body, columns};
  fields.allow({"checkInDate", "checkOutDate", "externalId", "bookingId", "numberOfExtraTenants",
                "platformProviderPaymentValue", "otaCommissionValue", "tenant"});
  domain::booking_request wanted;
  wanted.check_in = fields.day("checkInDate", presence::required).value_or(domain::date{});
  wanted.check_out = fields.day("checkOutDate", presence::required).value_or(domain::date{});
  wanted.external_id = read_external_id(body, columns);
  wanted.reference = read_booking_id(body);
  wanted.occupants =
      std::max(1, fields.count("numberOfExtraTenants", optional, 0, most_occupants).value_or(1));
  wanted.provider_payment = fields.amount("platformProviderPaymentValue", optional);
  wanted.ota_commission = fields.amount("otaCommissionValue", optional);
  wanted.tenant = read_tenant(body, columns);
  body.throw_if_refused();
  columns.throw_if_any();
  return wanted;
}

} // namespace roost::http
