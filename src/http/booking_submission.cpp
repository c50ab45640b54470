#include "http/booking_submission.hpp"

#include "http/error.hpp"
#include "http/json_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roost::http {

namespace {

using simdjson::dom::element;

constexpr std::size_t longest_external_id = 256;
constexpr std::size_t longest_name = 128;
constexpr std::size_t longest_phone = 64;

/// The texts for what the columns of the store would refuse. One of them answers for all fields: the first
/// that applies in this order.
class column_problems {
public:
  void invalid_format() { invalid_format_ = true; }
  void too_long() { first_bound_ = first_bound_ ? first_bound_ : "A value is too long for its field."; }
  void out_of_range() { first_bound_ = first_bound_ ? first_bound_ : "A numeric value is out of range."; }
  void missing() { missing_ = true; }

  void throw_if_any() const {
    if (invalid_format_) throw bad_request("A value has an invalid format.");
    if (first_bound_) throw bad_request(first_bound_);
    if (missing_) throw bad_request("A required value is missing.");
  }

private:
  bool invalid_format_ = false, missing_ = false;
  const char* first_bound_ = nullptr;
};

domain::date read_date(json_body& body, std::string_view key) {
  const auto value = body.find(key);
  const auto text = value ? as_text(*value) : std::nullopt;
  if (const auto day = text ? domain::parse_date(*text) : std::nullopt) return *day;
  body.refuse(std::string{key} + " must be a valid ISO 8601 date string");
  return {};
}

std::string read_external_id(json_body& body, column_problems& columns) {
  const auto value = body.find("externalId");
  const auto text = value ? as_text(*value) : std::nullopt;
  if (!text || text->empty()) {
    body.refuse("externalId must be a string");
    return {};
  }
  if (text->find('\0') != text->npos) columns.invalid_format(); // no column takes it
  if (length_of(*text) > longest_external_id) columns.too_long();
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

/// A number that is not negative; nothing when it is absent or refused.
std::optional<double> read_number(json_body& body, std::string_view key) {
  const auto value = body.find(key);
  if (!value) return std::nullopt;
  double number = 0;
  const bool is_number = value->get(number) == simdjson::SUCCESS;
  if (is_number && number >= 0) return number;
  std::string message = std::string{key} + " must not be less than 0";
  if (!is_number)
    message += ", " + std::string{key} + " must be a number conforming to the specified constraints";
  body.refuse(std::move(message));
  return std::nullopt;
}

int read_occupants(json_body& body, column_problems& columns) {
  const auto number = read_number(body, "numberOfExtraTenants");
  if (!number) return 1;
  if (*number != std::floor(*number))
    columns.invalid_format();
  else if (*number > std::numeric_limits<std::int32_t>::max())
    columns.out_of_range();
  else
    return std::max(1, static_cast<int>(*number));
  return 1;
}

std::optional<domain::money> read_amount(json_body& body, std::string_view key, column_problems& columns) {
  if (!read_number(body, key)) return std::nullopt;
  const auto amount = as_money(*body.find(key));
  if (*amount >= domain::amount_limit) columns.out_of_range();
  return amount;
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

std::string required(std::optional<std::string> text, column_problems& columns) {
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
  details.first_name = required(tenant_text(tenant, "firstName", longest_name, columns), columns);
  details.last_name = tenant_text(tenant, "lastName", longest_name, columns);
  details.email = required(tenant_text(tenant, "email", longest_name, columns), columns);
  details.fiscal_id = tenant_text(tenant, "fiscalId", longest_name, columns);
  details.phone = tenant_text(tenant, "phone", longest_phone, columns);
  details.nationality = nationality_of(tenant, columns);
  return details;
}

} // namespace

domain::booking_request parse_booking_submission(std::string& text) {
  json_body body{text};
  column_problems columns;
  body.allow({"checkInDate", "checkOutDate", "externalId", "bookingId", "numberOfExtraTenants",
              "platformProviderPaymentValue", "otaCommissionValue", "tenant"});
  domain::booking_request wanted;
  wanted.check_in = read_date(body, "checkInDate");
  wanted.check_out = read_date(body, "checkOutDate");
  wanted.external_id = read_external_id(body, columns);
  wanted.reference = read_booking_id(body);
  wanted.occupants = read_occupants(body, columns);
  wanted.provider_payment = read_amount(body, "platformProviderPaymentValue", columns);
  wanted.ota_commission = read_amount(body, "otaCommissionValue", columns);
  wanted.tenant = read_tenant(body, columns);
  body.throw_if_refused();
  columns.throw_if_any();
  return wanted;
}

} // namespace roost::http
