#include "store/usage/costs.hpp"

#include "store/database/cell.hpp"
#include "store/database/error.hpp"

#include <rapidjson/document.h>

#include <algorithm>

namespace roost::store {

domain::decimal parse_cost(std::string_view text) {
  domain::decimal cost;
  for (long exponent = 9; !text.empty(); exponent -= 9) {
    const auto end = text.find(' ');
    domain::decimal part;
    if (!read_cell(text.substr(0, end), part)) throw failure("a column holds an invalid cost");
    if (end == std::string_view::npos && exponent == 9) return part;
    cost += shifted(std::move(part), exponent);
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return cost;
}

namespace {

/// Reads a rate from a member that was parsed as text; nullopt if it is missing or exceeds the digit limits.
std::optional<domain::decimal> rate_of(const rapidjson::Value& rates, const char* name) {
  const auto member = rates.FindMember(name);
  if (member == rates.MemberEnd() || !member->value.IsString()) return std::nullopt;
  auto rate = domain::parse_decimal({member->value.GetString(), member->value.GetStringLength()});
  if (!rate || !domain::has_digits(*rate, domain::max_cost_digits, domain::max_cost_decimals))
    return std::nullopt;
  return rate;
}

} // namespace

domain::ai_price price_of(std::string_view pricing_snapshot) {
  rapidjson::Document snapshot; // numbers are parsed as text, because rates must be exact
  snapshot.Parse<rapidjson::kParseNumbersAsStringsFlag>(pricing_snapshot.data(), pricing_snapshot.size());
  if (snapshot.HasParseError() || !snapshot.IsObject()) return {};
  const auto rates = snapshot.FindMember("perMTok");
  if (rates == snapshot.MemberEnd() || !rates->value.IsObject()) return {};
  return {rate_of(rates->value, "input"), rate_of(rates->value, "output")};
}

} // namespace roost::store
