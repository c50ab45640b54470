#include "domain/platform.hpp"
#include "listings/full_parts.hpp"
#include "listings/listing.hpp"

#include <array>
#include <stdexcept>

namespace roost::listings {

using domain::block, domain::date, domain::marketplace, domain::no_end, domain::platform_kind,
    domain::traits_of;

namespace full {

std::optional<taken_nights> calendar_block_of(const full_view& view) {
  const auto& calendar = view.from.calendar;
  if (std::ranges::any_of(calendar.blocks(), [](const block& held) { return held.nights.last == no_end; }))
    return std::nullopt;
  const auto row = calendar_block_row(calendar, view.card(), view.today);
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
  to.add("LocalizedText", json::schema{{.type = "object",
                                        .meaning = "Texts by ISO 639-1 language",
                                        .examples = R"([{"en":"A bright room"}])",
                                        .other_members = json::texts_only}});
  for (const auto* format : full::formats)
    if (format) format->add_schemas(to);
}

bulk_brackets bulk_brackets_of(platform_kind kind) {
  if (traits_of(kind).full_feed == marketplace::c) return {R"({"properties":[)", "]}"};
  return {"[", "]"};
}

} // namespace roost::listings
