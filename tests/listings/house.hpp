#pragma once

#include "listings/listing.hpp"
#include "support/values.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string>
#include <string_view>
#include <vector>

namespace roost::listings {

using domain::account, domain::block, domain::calendar, domain::date, domain::marketplace, domain::money,
    domain::operator""_at, domain::operator""_cents, domain::operator""_date, domain::platform,
    domain::platform_card, domain::platform_kind, domain::property_terms, domain::timestamp, domain::unit;

/// The default day on which listings are written.
inline const date today = "2026-11-20"_date;

/// Returns the JSON without white space outside strings.
inline std::string compact(std::string_view json) {
  std::string text;
  bool in_string = false;
  for (const char c : json) {
    if (c == '"') in_string = !in_string;
    if (in_string || (c != ' ' && c != '\n')) text += c;
  }
  return text;
}

/// The data of a listing, which tests change before writing it.
struct house {
  domain::account account;
  property_terms property;
  unit terms;
  std::vector<block> blocks;
  domain::platform platform{.name = "marketplace-a", .kind = platform_kind::marketplace_a};
  std::string external_id = "771";

  house() {
    terms.rent.amount = 650'00_cents;
    terms.created_at = "2026-01-10T08:00:00.000Z"_at;
    terms.updated_at = "2026-10-01T12:30:45.678Z"_at;
  }

  void link_to(platform_kind kind) { platform = {.name = std::string{to_string(kind)}, .kind = kind}; }

  platform_card& card() {
    account.cards.push_back({.platform = platform.name});
    return account.cards.back();
  }

  void hold(date first, date last) {
    block held;
    held.nights = {first, last};
    held.created_at = "2026-09-01T10:00:00.000Z"_at;
    held.updated_at = "2026-09-02T11:00:00.000Z"_at;
    blocks.push_back(held);
  }

  std::string listing(past_blocks past = past_blocks::left_out, timestamp now = today) const {
    const calendar nights{blocks};
    json::writer json;
    write_listing(json, {account, property, terms, nights, platform, external_id}, now, past);
    return std::string{json.text()};
  }

  /// Returns a field of the written listing; empty if there is none of that name.
  std::string field(const char* name, timestamp now = today) const {
    rapidjson::Document parsed;
    parsed.Parse(listing(past_blocks::left_out, now).c_str());
    const auto member = parsed.FindMember(name);
    if (member == parsed.MemberEnd()) return "";
    rapidjson::StringBuffer text;
    rapidjson::Writer<rapidjson::StringBuffer> writer{text};
    member->value.Accept(writer);
    return text.GetString();
  }
};

} // namespace roost::listings
