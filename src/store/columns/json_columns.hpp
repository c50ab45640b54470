#pragma once

#include "domain/account.hpp"
#include "domain/booking_terms.hpp"
#include "domain/unit.hpp"
#include "store/database/cell.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// JSON columns for values without their own identity. Reading throws failure if the JSON is not in the
/// written format.
namespace roost::store {

/// The format of a JSON column. A line of a booking's plan is
/// `{"kind":"rent","cents":70000,"due":"2027-05-01","nights":["2027-05-01","2027-05-31"]}`: `nights` are the
/// first and the last night that it covers, if any; `payer` and `payee` are present only if the tenant is not
/// the payer or the landlord not the payee.
template <typename Value>
struct json_format {
  static constexpr auto type = "jsonb";
  static bool write(std::string& to, const Value& value);
  static bool read(const std::string* text, Value& into) {
    if (text) parse(*text, into);
    return text;
  }
  static void parse(std::string_view json, Value& into);
};

template <>
struct column_format<domain::payment_terms> : json_format<domain::payment_terms> {};
template <>
struct column_format<domain::ai_budget> : json_format<domain::ai_budget> {};
template <>
struct column_format<std::map<std::string, std::string>> : json_format<std::map<std::string, std::string>> {};
template <typename Item>
struct column_format<std::vector<Item>> : json_format<std::vector<Item>> {};

template <typename Value>
std::string json_of(const Value& value) {
  std::string json;
  json_format<Value>::write(json, value);
  return json;
}
template <typename Value>
void read_json(std::string_view json, Value& into) {
  json_format<Value>::parse(json, into);
}

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
