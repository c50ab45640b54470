#include "domain/ai_usage.hpp"

#include <rapidjson/document.h>

namespace roost::domain {

namespace {

/// Reads a rate from a member that was parsed as text; nullopt if it is missing or exceeds the digit limits.
std::optional<decimal> rate_of(const rapidjson::Value& rates, const char* name) {
  const auto member = rates.FindMember(name);
  if (member == rates.MemberEnd() || !member->value.IsString()) return std::nullopt;
  auto rate = parse_decimal({member->value.GetString(), member->value.GetStringLength()});
  if (!rate || !has_digits(*rate, max_cost_digits, max_cost_decimals)) return std::nullopt;
  return rate;
}

} // namespace

ai_usage_totals& ai_usage_totals::operator+=(const ai_usage_totals& more) {
  calls += more.calls;
  tokens.input += more.tokens.input;
  tokens.output += more.tokens.output;
  tokens.cache_creation += more.tokens.cache_creation;
  tokens.cache_read += more.tokens.cache_read;
  cost += more.cost;
  return *this;
}

ai_price price_of(std::string_view pricing_snapshot) {
  rapidjson::Document snapshot; // numbers are parsed as text, because rates must be exact
  snapshot.Parse<rapidjson::kParseNumbersAsStringsFlag>(pricing_snapshot.data(), pricing_snapshot.size());
  if (snapshot.HasParseError() || !snapshot.IsObject()) return {};
  const auto rates = snapshot.FindMember("perMTok");
  if (rates == snapshot.MemberEnd() || !rates->value.IsObject()) return {};
  return {rate_of(rates->value, "input"), rate_of(rates->value, "output")};
}

} // namespace roost::domain
