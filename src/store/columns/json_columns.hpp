#pragma once

#include "domain/account.hpp"
#include "domain/booking_terms.hpp"
#include "domain/unit.hpp"
#include "store/database/column_format.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// JSON columns for values without their own identity. Reading throws failure if the JSON is not in the
/// written format.
namespace roost::store {

std::string json_of(const domain::payment_terms& terms);
std::string json_of(const std::vector<domain::tenant_category>& categories);
std::string json_of(const std::vector<domain::admin_fee_tier>& tiers);
std::string json_of(const std::vector<std::string>& words);
std::string json_of(const std::map<std::string, std::string>& texts);
std::string json_of(const std::vector<domain::image>& images);
/// A line of the plan is
/// `{"kind":"rent","cents":70000,"due":"2027-05-01","nights":["2027-05-01","2027-05-31"]}`: `nights` are the
/// first and the last night that it covers, if any; `payer` and `payee` are present only if the tenant is not
/// the payer or the landlord not the payee.
std::string json_of(const domain::booking_terms& terms);

void read_json(std::string_view json, domain::payment_terms& into);
void read_json(std::string_view json, std::vector<domain::tenant_category>& into);
void read_json(std::string_view json, std::vector<domain::admin_fee_tier>& into);
void read_json(std::string_view json, std::map<std::string, std::string>& into);
void read_json(std::string_view json, std::vector<std::string>& into);
void read_json(std::string_view json, std::vector<domain::image>& into);
void read_json(std::string_view json, domain::booking_terms& into);

/// The format of types with json_of() and read_json().
template <typename Value>
struct json_format {
  static constexpr auto type = "jsonb";
  static bool write(std::string& to, const Value& value) { return write_cell(to, json_of(value)); }
  static bool read(const std::string* text, Value& into) {
    if (text) read_json(*text, into);
    return text;
  }
};

template <>
struct column_format<domain::payment_terms> : json_format<domain::payment_terms> {};
template <>
struct column_format<std::vector<domain::tenant_category>>
    : json_format<std::vector<domain::tenant_category>> {};
template <>
struct column_format<std::vector<domain::admin_fee_tier>> : json_format<std::vector<domain::admin_fee_tier>> {
};
template <>
struct column_format<std::vector<std::string>> : json_format<std::vector<std::string>> {};
template <>
struct column_format<std::map<std::string, std::string>> : json_format<std::map<std::string, std::string>> {};
template <>
struct column_format<std::vector<domain::image>> : json_format<std::vector<domain::image>> {};

/// The shared terms of a booking, stored as `json`, which is cheaper to write than `jsonb`.
template <>
struct column_format<std::shared_ptr<const domain::booking_terms>> {
  static constexpr auto type = "json";
  static bool write(std::string& to, const std::shared_ptr<const domain::booking_terms>& terms) {
    return write_cell(to, json_of(*terms));
  }
  static bool read(const std::string* text, std::shared_ptr<const domain::booking_terms>& into) {
    if (!text) return false;
    auto terms = std::make_shared<domain::booking_terms>();
    read_json(*text, *terms);
    into = std::move(terms);
    return true;
  }
};

} // namespace roost::store
