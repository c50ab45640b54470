#pragma once

#include "domain/full_source.hpp"
#include "domain/generated_rows.hpp"
#include "domain/json.hpp"
#include "domain/listing.hpp"
#include "domain/pricing.hpp"

#include <algorithm>

/// What the full feeds' shapes have in common. Each marketplace's own shape stands in a file of its own.
namespace roost::domain::full {

namespace marketplace_a {
void write(json_writer& json, const full_source& from, date today);
}
namespace marketplace_b {
void write(json_writer& json, const full_source& from, date today);
}
namespace marketplace_c {
void write(json_writer& json, const full_source& from, date today);
}
namespace marketplace_d {
void write(json_writer& json, const full_source& from, date today);
}

/// The month's rent of a headline, with markup.
money headline(const full_source& from);
/// The first date from which the shortest stay fits; none when nothing fits before a block without end.
std::optional<date> available_from(const full_source& from, date today);
/// The property's currency on partner platforms, else the account's.
const std::string& currency(const full_source& from);
/// The unit's floor, else its property's.
std::optional<std::string> floor(const full_source& from);
std::optional<std::string> integration_email(const full_source& from);

/// An object of texts by language.
void write_texts(json_writer& json, const localized_text& texts);
void write_words(json_writer& json, const std::vector<std::string>& words);
/// The URLs, without those of placeholder pictures.
void write_images(json_writer& json, const std::vector<image>& images);

/// Calls `write(first night, last night or nothing)` for every stored block that is not over.
template <typename Write>
void for_each_stored_block(const full_source& from, date today, Write write) {
  for (const auto& held : from.calendar.blocks()) {
    if (held.nights.last < today) continue;
    write(held.nights.first,
          held.nights.last == no_end ? std::nullopt : std::optional<date>(held.nights.last));
  }
}

/// The same, and then for the Calendar Block of the account's card (Partner API, Listing object, rule 8a).
/// Nothing comes after a block without end, whose end no full feed shows.
template <typename Write>
void for_each_block(const full_source& from, date today, Write write) {
  for_each_stored_block(from, today, write);
  const auto& blocks = from.calendar.blocks();
  if (std::ranges::any_of(blocks, [](const block& held) { return held.nights.last == no_end; })) return;
  const auto* card = find_card(from.account, from.platform.name);
  if (const auto row = calendar_block_row(from.calendar, card, today))
    write(row->nights.first, row->nights.last);
}

} // namespace roost::domain::full
