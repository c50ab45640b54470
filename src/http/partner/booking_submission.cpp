#include "http/partner/booking_submission.hpp"

#include "domain/unit_limits.hpp"
#include "http/json/object_reader.hpp"

#include <algorithm>
#include <limits>

namespace roost::http {

namespace {

using enum presence;
constexpr int max_occupants = std::numeric_limits<std::int32_t>::max();

std::string read_external_id(object_reader& body) {
  const auto id = body.text("externalId", required);
  if (!id) return {};
  if (id->empty()) body.refuse("externalId must be a string");
  if (id->find('\0') != id->npos) body.columns().invalid_format(); // no column takes it
  if (length_of(*id) > domain::longest_external_id) body.columns().too_long();
  return *id;
}

std::optional<std::string> read_booking_id(object_reader& body) {
  if (!body.has("bookingId")) return std::nullopt;
  const auto id = body.text_if("bookingId");
  if (id && domain::is_rfc_uuid(*id)) return domain::normalized_reference(*id);
  body.refuse("bookingId must be a UUID");
  return std::nullopt;
}

/// What the store cannot do without.
std::string require(object_reader& tenant, std::string_view key, std::size_t longest) {
  auto text = tenant.column_text(key, longest);
  if (!text) tenant.columns().missing();
  return std::move(text).value_or("");
}

std::optional<std::string> nationality_of(object_reader& tenant) {
  auto code = tenant.column_text("nationality", 2);
  constexpr auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (code && length_of(*code) <= 2 && (code->size() != 2 || !std::ranges::all_of(*code, letter)))
    tenant.columns().invalid_format();
  return code;
}

/// Every field of the tenant may be null; what is empty counts as missing.
domain::tenant_details read_tenant(object_reader& body) {
  domain::tenant_details details;
  bool is_there = false;
  body.object("tenant", {"firstName", "lastName", "email", "fiscalId", "phone", "nationality"},
              unknown_keys::discarded, [&](object_reader& tenant) {
                is_there = !tenant.is_empty();
                if (!is_there) return;
                details.first_name = require(tenant, "firstName", domain::longest_tenant_text);
                details.last_name = tenant.column_text("lastName", domain::longest_tenant_text);
                details.email = require(tenant, "email", domain::longest_tenant_text);
                details.fiscal_id = tenant.column_text("fiscalId", domain::longest_tenant_text);
                details.phone = tenant.column_text("phone", domain::longest_tenant_phone);
                details.nationality = nationality_of(tenant);
              });
  if (!is_there) body.refuse("tenant must be a non-empty object");
  return details;
}

} // namespace

domain::booking_request parse_booking_submission(std::string& text) {
  json_body parsed{text};
  object_reader body{parsed,
                     {"checkInDate", "checkOutDate", "externalId", "bookingId", "numberOfExtraTenants",
                      "platformProviderPaymentValue", "otaCommissionValue", "tenant"}};
  domain::booking_request wanted;
  wanted.check_in = body.day("checkInDate", required).value_or(domain::date{});
  wanted.check_out = body.day("checkOutDate", required).value_or(domain::date{});
  wanted.external_id = read_external_id(body);
  wanted.reference = read_booking_id(body);
  wanted.occupants = std::max(1, body.count("numberOfExtraTenants", optional, 0, max_occupants).value_or(1));
  wanted.provider_payment = body.amount("platformProviderPaymentValue", optional);
  wanted.ota_commission = body.amount("otaCommissionValue", optional);
  wanted.tenant = read_tenant(body);
  parsed.throw_if_any();
  return wanted;
}

} // namespace roost::http
