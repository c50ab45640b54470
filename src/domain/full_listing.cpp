#include "domain/full_listing.hpp"

#include "domain/full_listing_parts.hpp"
#include "domain/listing.hpp"
#include "domain/platform_traits.hpp"

#include <stdexcept>

namespace roost::domain {

namespace full {

money headline(const full_source& from) {
  return with_markup(headline_rent(from.terms), find_card(from.account, from.platform.name));
}

std::optional<date> available_from(const full_source& from, date today) {
  return first_free_date(from.account, from.terms, from.calendar,
                         {from.terms.min_stay_months, from.terms.max_stay_months}, today);
}

const std::string& currency(const full_source& from) {
  const auto& own = from.property.partner_currency;
  return own ? *own : from.account.currency;
}

std::optional<std::string> floor(const full_source& from) {
  if (from.shown.floor) return from.shown.floor;
  const auto& of_property = from.property.address.floor;
  return of_property.empty() ? std::nullopt : std::optional(of_property);
}

std::optional<std::string> integration_email(const full_source& from) {
  const auto* card = find_card(from.account, from.platform.name);
  return card ? card->integration_email : std::nullopt;
}

void write_texts(json_writer& json, const localized_text& texts) {
  json.begin_object();
  for (const auto& [language, text] : texts) {
    json.data_key(language);
    json.value(text);
  }
  json.end_object();
}

void write_words(json_writer& json, const std::vector<std::string>& words) {
  json.begin_array();
  for (const auto& word : words) json.value(word);
  json.end_array();
}

void write_images(json_writer& json, const std::vector<image>& images) {
  json.begin_array();
  for (const auto& each : images)
    if (!each.placeholder) json.value(each.url);
  json.end_array();
}

} // namespace full

void write_full_listing(json_writer& json, const full_source& from, date today) {
  switch (traits_of(from.platform).full_feed) {
  case marketplace::a:
    return full::marketplace_a::write(json, from, today);
  case marketplace::b:
    return full::marketplace_b::write(json, from, today);
  case marketplace::c:
    return full::marketplace_c::write(json, from, today);
  case marketplace::d:
    return full::marketplace_d::write(json, from, today);
  case marketplace::none:
    break;
  }
  throw std::logic_error("the platform has no full feed");
}

bulk_brackets bulk_brackets_of(platform_kind kind) {
  if (traits_of(kind).full_feed == marketplace::c) return {R"({"properties":[)", "]}"};
  return {"[", "]"};
}

} // namespace roost::domain
