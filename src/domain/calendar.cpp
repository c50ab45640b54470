#include "domain/calendar.hpp"

#include <algorithm>
#include <tuple>

namespace roost::domain {

nights booked_nights(date check_in, date check_out, int preparation_days) {
  auto held = stay_nights(check_in, check_out);
  held.last =
      std::min(held.last + days{preparation_days}, no_end - days{1}); // the last day means without end
  return held;
}

namespace {

/// By id where they start together, so that a calendar looks the same however its blocks came into it.
bool starts_earlier(const block& a, const block& b) {
  return std::tie(a.nights.first, a.id) < std::tie(b.nights.first, b.id);
}

} // namespace

calendar::calendar(std::vector<block> blocks) : blocks_(std::move(blocks)) {
  std::ranges::stable_sort(blocks_, starts_earlier);
}

bool calendar::is_free(const nights& wanted) const {
  for (const auto& held : blocks_) {
    if (held.nights.first > wanted.last) return true;
    if (overlap(held.nights, wanted)) return false;
  }
  return true;
}

void calendar::add(block added) {
  blocks_.insert(std::ranges::upper_bound(blocks_, added, starts_earlier), std::move(added));
}

bool calendar::remove(const uuid& block_id) {
  return std::erase_if(blocks_, [&](const block& held) { return held.id == block_id; }) > 0;
}

std::optional<date> calendar::available_from(date start, int min_stay_months) const {
  const auto end_of_stay = [&](date from) {
    return min_stay_months > 0 ? add_months(from, min_stay_months) : from + days{1};
  };
  date from = start, until = end_of_stay(start);
  for (const auto& held : blocks_) {
    if (held.nights.first >= until) break; // and so do all that follow
    if (held.nights.last < from) continue;
    if (held.nights.last == no_end) return std::nullopt;
    from = held.nights.last + days{1};
    until = end_of_stay(from);
  }
  return from;
}

} // namespace roost::domain
