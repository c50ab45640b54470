#include "listings/full_listing.hpp"

#include "domain/platform.hpp"
#include "listings/full_parts.hpp"
#include "listings/generated_rows.hpp"

#include <array>
#include <stdexcept>

namespace roost::listings {

using domain::block, domain::calendar, domain::date, domain::headline_rent, domain::marketplace,
    domain::money, domain::no_end, domain::platform_kind, domain::traits_of, domain::with_markup;

namespace full {

money full_view::headline() const {
  return with_markup(headline_rent(from.terms), find_card(from.account, from.platform.name));
}

std::optional<date> full_view::available_from() const {
  return first_free_date(from.account, from.terms, from.calendar,
                         {from.terms.min_stay_months, from.terms.max_stay_months}, today);
}

const std::string& full_view::currency() const {
  const auto& own = from.property.partner_currency;
  return own ? *own : from.account.currency;
}

std::optional<std::string> full_view::floor() const {
  if (from.shown.floor) return from.shown.floor;
  const auto& of_property = from.property.address.floor;
  return of_property.empty() ? std::nullopt : std::optional(of_property);
}

std::optional<std::string> full_view::integration_email() const {
  const auto* card = find_card(from.account, from.platform.name);
  return card ? card->integration_email : std::nullopt;
}

std::optional<taken_nights> calendar_block_of(const full_view& of) {
  const auto& calendar = of.from.calendar;
  if (std::ranges::any_of(calendar.blocks(), [](const block& held) { return held.nights.last == no_end; }))
    return std::nullopt;
  const auto row = calendar_block_row(calendar, find_card(of.from.account, of.from.platform.name), of.today);
  if (!row) return std::nullopt;
  return taken_nights{row->nights.first, row->nights.last};
}

/// Indexed by marketplace.
constexpr std::array<const full_format*, 5> formats{nullptr, &format_a, &format_b, &format_c, &format_d};

} // namespace full

void write_full_listing(json::writer& json, const full_source& from, date today) {
  const auto* const format = full::formats[static_cast<std::size_t>(traits_of(from.platform).full_feed)];
  if (!format) throw std::logic_error("the platform has no full feed");
  format->write(json, full::full_view{from, today});
}

void add_full_schemas(json::schemas& to) {
  to.add("LocalizedText", R"({"type":"object","description":"Texts by ISO 639-1 language",)"
                          R"("additionalProperties":{"type":"string"},"examples":[{"en":"A bright room"}]})");
  for (const auto* format : full::formats)
    if (format) format->add_schemas(to);
}

bulk_brackets bulk_brackets_of(platform_kind kind) {
  if (traits_of(kind).full_feed == marketplace::c) return {R"({"properties":[)", "]}"};
  return {"[", "]"};
}

} // namespace roost::listings
