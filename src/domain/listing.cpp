#include "domain/listing.hpp"

#include "domain/pricing.hpp"

#include <algorithm>

namespace roost::domain {

namespace {

/// Where a feed must name an end that the landlord left open; no date has five digits in its year.
date invented_end(date first, date today) {
  constexpr int open_months = 24;
  return std::min(add_months(std::max(first, today), open_months), no_end);
}

void write_month_rents(json_writer& json, const listing_source& from, const platform_card* card) {
  json.key("rentsPerMonth");
  json.begin_array();
  if (!from.terms.rent.fixed) {
    for (const auto& priced : from.terms.rent.per_month) {
      json.begin_object();
      json.field("month", priced.month);
      json.field("rent", with_markup(priced.rent, card));
      json.field("createdAt", priced.created_at);
      json.field("updatedAt", priced.updated_at);
      json.end_object();
    }
  }
  json.end_array();
}

void write_fees(json_writer& json, const listing_source& from) {
  const auto& fee = from.terms.admin_fee;
  const auto& cleaning = from.property.cleaning_fee;
  const bool tiered = fee.enabled && fee.mode == fee_mode::tiered;
  json.field("cleaningFeeValue", cleaning.enabled ? cleaning.value : money{});
  json.field("billsIncluded", from.terms.bills.included);
  json.field("billsIncludedMaxValue", from.terms.bills.included ? from.terms.bills.max_value : std::nullopt);
  json.field("adminFeeValue", fee.enabled ? round_up(fee.value) : money{});
  json.field("adminFeeMode", tiered ? "tiered" : "fixed");
  json.key("adminFeeTiers");
  json.begin_array();
  if (tiered) {
    for (const auto& tier : fee.tiers) {
      json.begin_object();
      json.field("fromDays", tier.from_days);
      json.field("value", tier.value);
      json.end_object();
    }
  }
  json.end_array();
  json.field("depositValue", deposit_for_one(from.terms));
}

void write_unavailabilities(json_writer& json, const listing_source& from, date today, past_blocks past) {
  json.key("unavailabilities");
  json.begin_array();
  for (const auto& held : from.calendar.blocks()) {
    if (past == past_blocks::left_out && held.nights.last < today) continue;
    const date last = held.nights.last != no_end ? held.nights.last : invented_end(held.nights.first, today);
    json.begin_object();
    json.field("from", held.nights.first);
    json.field("to", last);
    json.field("reason", "Unavailable");
    json.field("createdAt", held.created_at);
    json.field("updatedAt", held.updated_at);
    json.end_object();
  }
  json.end_array();
}

void write_booking_windows(json_writer& json, const unit& terms) {
  json.key("bookingWindows");
  json.begin_array();
  for (const auto& window : terms.booking_windows) {
    json.begin_object();
    json.field("minStartDate", window.min_start);
    json.field("maxStartDate", window.max_start);
    json.field("minEndDate", window.min_end);
    json.field("maxEndDate", window.max_end);
    json.end_object();
  }
  json.end_array();
}

std::optional<date> first_free_date(const listing_source& from, date today) {
  const int notice = from.terms.advance_notice_days.value_or(from.account.advance_notice_days);
  return from.calendar.available_from(today + days{notice}, from.terms.min_stay_months.value_or(0));
}

} // namespace

void write_listing(json_writer& json, const listing_source& from, date today, past_blocks past) {
  const auto* card = find_card(from.account, from.platform.name);
  const auto& terms = from.terms;
  json.begin_object();
  json.field("externalId", from.external_id);
  if (from.platform.kind == platform_kind::single_landlord)
    json.field("listingInternalName", terms.internal_name);
  json.field("availableFrom", first_free_date(from, today));
  json.field("minStayPeriod", terms.min_stay_months);
  json.field("maxStayPeriod", terms.max_stay_months);
  json.field("isRentFixed", terms.rent.fixed);
  json.field("rent", with_markup(headline_rent(terms), card));
  write_month_rents(json, from, card);
  json.field("capacity", terms.capacity);
  json.field("extraPricePerTenant", extra_price_per_tenant(terms));
  write_fees(json, from);
  json.field("landlordEmail", card ? card->integration_email : std::nullopt);
  write_unavailabilities(json, from, today, past);
  write_booking_windows(json, terms);
  json.field("createdAt", terms.created_at);
  json.field("updatedAt", terms.updated_at);
  json.end_object();
}

publication publication_of(const unit& terms, const property_terms& property, const platform& on,
                           bool excluded) {
  if (excluded || terms.archived || property.archived) return publication::withheld;
  if (!has_usable_rent(terms)) return publication::no_usable_rent;
  if (on.kind == platform_kind::marketplace_d &&
      std::ranges::none_of(on.regions, [&](const auto& region) { return same_place(region, property.city); }))
    return publication::unsupported_region;
  return publication::published;
}

namespace {

/// The ASCII letters that a letter of Latin-1 Supplement, Latin Extended-A or Romanian is written with when
/// there are no accents; empty for anything else.
std::string_view base_letters(char32_t c) {
  static constexpr std::string_view latin_1 =
      "aaaaaa*ceeeeiiiidnooooo*ouuuuy**aaaaaa*ceeeeiiiidnooooo*ouuuuy*y";
  static constexpr std::string_view extended_a =
      "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkkklllllllll"
      "lnnnnnnnnnoooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
  switch (c) {
  case 0xc6: // Æ
  case 0xe6: // æ
    return "ae";
  case 0xde: // Þ
  case 0xfe: // þ
    return "th";
  case 0xdf: // ß
    return "ss";
  case 0x132: // Ĳ
  case 0x133: // ĳ
    return "ij";
  case 0x152: // Œ
  case 0x153: // œ
    return "oe";
  case 0x218: // Ș
  case 0x219: // ș
    return "s";
  case 0x21a: // Ț
  case 0x21b: // ț
    return "t";
  case 0xd7: // ×
  case 0xf7: // ÷
    return {};
  default:
    break;
  }
  if (c >= 0xc0 && c < 0xc0 + latin_1.size()) return latin_1.substr(c - 0xc0, 1);
  if (c >= 0x100 && c < 0x100 + extended_a.size()) return extended_a.substr(c - 0x100, 1);
  return {};
}

std::string folded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if ((lead & 0xe0) == 0xc0 && i + 1 < text.size()) {
      const char32_t c = (lead & 0x1fU) << 6 | (static_cast<unsigned char>(text[i + 1]) & 0x3fU);
      if (c >= 0x300 && c < 0x370) { // a combining accent
        ++i;
        continue;
      }
      if (const auto base = base_letters(c); !base.empty()) {
        out += base;
        ++i;
        continue;
      }
    }
    out += lead >= 'A' && lead <= 'Z' ? static_cast<char>(lead - 'A' + 'a') : text[i];
  }
  return out;
}

} // namespace

bool same_place(std::string_view a, std::string_view b) { return folded(a) == folded(b); }

} // namespace roost::domain
