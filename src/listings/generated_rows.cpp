#include "listings/generated_rows.hpp"

#include <algorithm>

namespace roost::listings {

using domain::add_months, domain::block, domain::calendar, domain::date, domain::day_of, domain::days,
    domain::nights, domain::no_end, domain::platform_card, domain::timestamp, domain::traits_of;

date two_years_after(date day) {
  constexpr int months = 24;
  return std::min(add_months(day, months), no_end); // years have four digits
}

date shown_last_night(const nights& blocked, date today) {
  return blocked.last != no_end ? blocked.last : two_years_after(std::max(blocked.first, today));
}

std::optional<generated_row> calendar_block_row(const calendar& of, const platform_card* card, date today) {
  if (!card || !card->calendar_block_days || of.blocks().empty()) return std::nullopt;
  const auto last_night = [](const block& held) { return held.nights.last; };
  const auto& latest = *std::ranges::max_element(of.blocks(), {}, last_night);
  if (latest.nights.last <= today + days{*card->calendar_block_days}) return std::nullopt;
  const date last = shown_last_night(latest.nights, today);
  return generated_row{{last, two_years_after(last)}, "Calendar Block", latest.created_at, latest.updated_at};
}

generated_rows generated_rows_of(const generated_row_source& from, timestamp now) {
  const date today = day_of(now);
  const auto& traits = traits_of(from.kind);
  generated_rows rows;
  const auto add = [&](date first, date last, std::string_view reason) {
    rows.push_back({{first, last}, reason, now, now});
  };
  if (const auto row = calendar_block_row(from.calendar, from.card, today)) rows.push_back(*row);
  if (traits.blocks_until_available && from.available_from && *from.available_from > today)
    add(today, *from.available_from - days{1}, "Not available yet");
  if (traits.keeps_to_booking_window && from.window) {
    constexpr std::string_view reason = "Booking window restriction";
    if (today < from.window->min_start) add(today, from.window->min_start - days{1}, reason);
    const date after = from.window->max_end; // the night of the last check-out is not in the window
    add(after, two_years_after(after), reason);
  }
  return rows;
}

} // namespace roost::listings
