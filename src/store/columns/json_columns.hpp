#pragma once

#include "domain/account.hpp"
#include "domain/unit.hpp"
#include "store/database/column_format.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The lists without identity of their own, as the JSON of their columns. Reading throws failure when a
/// column does not hold what was written.
namespace roost::store {

std::string json_of(const domain::payment_terms& terms);
std::string json_of(const std::vector<domain::tenant_category>& categories);
std::string json_of(const std::vector<domain::admin_fee_tier>& tiers);
std::string json_of(const std::vector<std::string>& words);
std::string json_of(const std::map<std::string, std::string>& texts);
std::string json_of(const std::vector<domain::image>& images);

void read_json(std::string_view json, domain::payment_terms& into);
void read_json(std::string_view json, std::vector<domain::tenant_category>& into);
void read_json(std::string_view json, std::vector<domain::admin_fee_tier>& into);
void read_json(std::string_view json, std::map<std::string, std::string>& into);
void read_json(std::string_view json, std::vector<std::string>& into);
void read_json(std::string_view json, std::vector<domain::image>& into);

/// Of a type with json_of() and read_json().
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

} // namespace roost::store
