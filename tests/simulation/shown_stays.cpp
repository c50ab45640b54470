#include "simulation/shown_stays.hpp"

#include <algorithm>

namespace roost::testing {

namespace {

/// Formats a date as iCalendar does (RFC 5545, 3.3.4): `20270301`.
std::string to_ical_date(domain::date day) {
  auto text = domain::to_string(day);
  std::erase(text, '-');
  return text;
}

} // namespace

std::string row_of(domain::date check_in, domain::date check_out, unit_view shown) {
  if (shown == unit_view::calendar)
    return "DTSTART;VALUE=DATE:" + to_ical_date(check_in) + "\r\nDTEND;VALUE=DATE:" + to_ical_date(check_out);
  return R"("from":")" + domain::to_string(check_in) + R"(","to":")" +
         domain::to_string(check_out - domain::days{1}) + '"';
}

/// Searching the text for each known row would take a tenth of a history's time.
std::vector<std::string_view> rows_in(std::string_view body, unit_view shown) {
  const auto size = row_of({}, {}, shown).size();
  const std::string_view begin = shown == unit_view::listing ? R"("from":")" : "DTSTART;VALUE=DATE:";
  std::vector<std::string_view> rows;
  for (auto at = body.find(begin); at != std::string_view::npos; at = body.find(begin, at + size))
    rows.push_back(body.substr(at, size));
  std::ranges::sort(rows);
  return rows;
}

void shown_stays::on_booked(const std::string& id, const stay_placement& place, sequence acknowledged) {
  stays_[id] = {place, acknowledged, {}, false, {}};
}

void shown_stays::on_change_sent(const std::string& id, const std::optional<stay_placement>& target) {
  if (target) on_request(*target);
  const auto known = stays_.find(id);
  if (known == stays_.end()) return;
  if (target)
    known->second.targets.push_back(*target);
  else
    known->second.may_be_cancelled = true;
}

void shown_stays::leave(stay& known, sequence acknowledged) {
  if (known.place) known.former.push_back({*known.place, acknowledged});
  known.place.reset();
  known.targets.clear();
  known.may_be_cancelled = false;
}

void shown_stays::on_moved(const std::string& id, const stay_placement& place, sequence acknowledged) {
  const auto known = stays_.find(id);
  if (known == stays_.end()) return;
  leave(known->second, acknowledged);
  known->second.place = place;
  known->second.since = acknowledged;
}

void shown_stays::on_cancelled(const std::string& id, sequence acknowledged) {
  if (const auto known = stays_.find(id); known != stays_.end()) leave(known->second, acknowledged);
}

void shown_stays::on_refused(const std::string& id) {
  const auto known = stays_.find(id);
  if (known == stays_.end()) return;
  known->second.targets.clear();
  known->second.may_be_cancelled = false;
}

bool shown_stays::was_requested(unsigned unit, const domain::nights& nights) const {
  return std::ranges::any_of(requested_, [&](const auto& each) {
    return each.first.unit == unit && domain::overlap(nights, each.first.nights());
  });
}

std::optional<std::string> shown_stays::contradiction(unsigned unit, unit_view shown, sequence sent,
                                                      const std::vector<std::string_view>& rows) const {
  const auto is_shown = [&](const stay_placement& place) {
    return std::ranges::binary_search(rows, row_of(place.check_in, place.check_out, shown));
  };
  const auto is_here = [unit](const stay_placement& place) { return place.unit == unit; };
  for (const auto& [id, known] : stays_) {
    for (const auto& [place, left] : known.former)
      if (is_here(place) && left < sent && requested_.at(place) == 1 && is_shown(place))
        return " still shows the booking " + id + " in its former place, " + to_string(place);
    if (!known.place || !is_here(*known.place) || known.since > sent || known.may_be_cancelled) continue;
    if (!std::ranges::all_of(known.targets, is_here)) continue;
    if (!is_shown(*known.place) && std::ranges::none_of(known.targets, is_shown))
      return " does not show the booking " + id + ", " + to_string(*known.place);
  }
  return std::nullopt;
}

} // namespace roost::testing
