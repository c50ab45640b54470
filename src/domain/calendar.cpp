#include "domain/calendar.hpp"

#include <algorithm>
#include <tuple>

namespace roost::domain {

nights booked_nights(date check_in, date check_out, int preparation_days) {
  auto held = stay_nights(check_in, check_out);
  held.last = std::min(held.last + days{preparation_days},
                       no_end - days{1}); // no_end itself would mean a block without end
  return held;
}

namespace {

/// Orders blocks by first night, then by id, so that the order does not depend on insertion.
bool starts_earlier(const block& a, const block& b) {
  return std::tie(a.nights.first, a.id) < std::tie(b.nights.first, b.id);
}

/// Returns whether a stay of `months` months (0: one night) from a day on includes a night. A month has 28 to
/// 31 days, which decides most cases without date arithmetic.
bool stay_takes(date from, int months, date night) {
  if (months <= 0) return night <= from;
  if (night < from + days{28 * months}) return true;
  return night < from + days{31 * months} && night < add_months(from, months);
}

} // namespace

namespace {

bool exclude_each_other(const claimed_nights& a, const claimed_nights& b) {
  if (!a.source || !b.source) return true;
  return a.source == block_source::channel && b.source == block_source::channel && a.host != b.host;
}

} // namespace

std::vector<nights> parts_without(const nights& whole, std::vector<nights> stays) {
  std::ranges::sort(stays, {}, &nights::first);
  std::vector<nights> parts;
  auto first = whole.first;
  for (const auto& stay : stays) {
    if (stay.last < first) continue;
    if (stay.first > whole.last) break;
    if (stay.first > first) parts.push_back({first, stay.first - days{1}});
    if (stay.last >= whole.last) return parts; // later: the day after no_end has no name
    first = stay.last + days{1};
  }
  parts.push_back({first, whole.last});
  return parts;
}

std::vector<night_conflict> conflicts_among(std::vector<claimed_nights> claims) {
  std::ranges::sort(claims, [](const claimed_nights& a, const claimed_nights& b) {
    return std::tie(a.nights.first, a.id) < std::tie(b.nights.first, b.id);
  });
  std::vector<night_conflict> conflicts;
  for (auto first = claims.begin(); first != claims.end(); ++first)
    for (auto second = first + 1; second != claims.end() && second->nights.first <= first->nights.last;
         ++second)
      if (exclude_each_other(*first, *second))
        conflicts.push_back({{second->nights.first, std::min(first->nights.last, second->nights.last)},
                             first->id,
                             second->id});
  std::ranges::stable_sort(conflicts, {}, [](const night_conflict& each) { return each.nights.first; });
  return conflicts;
}

calendar::calendar(std::vector<block> blocks) : blocks_(std::move(blocks)) {
  std::ranges::stable_sort(blocks_, starts_earlier);
  for (const auto& held : blocks_) note_length(held);
}

bool calendar::is_free(const nights& stay) const {
  if (open_from_ <= stay.last) return false;
  auto after =
      std::ranges::upper_bound(blocks_, stay.last, {}, [](const block& held) { return held.nights.first; });
  // Search backwards, as far as the longest block reaches.
  while (after != blocks_.begin()) {
    const auto& held = (--after)->nights;
    if (held.last >= stay.first) return false;
    if (held.first + longest_ < stay.first) return true;
  }
  return true;
}

void calendar::add(block added) {
  note_length(added);
  blocks_.insert(std::ranges::upper_bound(blocks_, added, starts_earlier), std::move(added));
}

void calendar::note_length(const block& held) {
  if (held.nights.last == no_end)
    open_from_ = std::min(open_from_, held.nights.first);
  else
    longest_ = std::max(longest_, held.nights.last - held.nights.first);
}

bool calendar::remove(const uuid& block_id) {
  if (std::erase_if(blocks_, [&](const block& held) { return held.id == block_id; }) == 0) return false;
  if (open_from_ <= no_end) { // the removed block may have had no end
    open_from_ = date::max();
    for (const auto& held : blocks_) note_length(held);
  }
  return true;
}

std::optional<date> calendar::available_from(date start, int min_stay_months) const {
  date from = start;
  for (const auto& held : blocks_) {
    if (held.nights.last < from) continue;
    if (!stay_takes(from, min_stay_months, held.nights.first)) break; // later blocks start even later
    if (held.nights.last == no_end) return std::nullopt;
    from = held.nights.last + days{1};
  }
  return from;
}

} // namespace roost::domain
