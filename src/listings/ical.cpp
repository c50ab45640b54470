#include "listings/ical.hpp"

#include <boost/uuid/name_generator_sha1.hpp>

#include <algorithm>
#include <optional>

namespace roost::listings {

using domain::add_months, domain::block, domain::block_source, domain::calendar, domain::date, domain::days,
    domain::full_months_between, domain::no_end, domain::short_text, domain::timestamp, domain::to_short_text,
    domain::unit, domain::uuid;

namespace {

constexpr std::size_t max_line = 75; ///< octets, without the line's end
constexpr std::string_view line_fold = "\r\n ";

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Returns where to cut a text after at most `max` octets; splits no character of UTF-8.
std::size_t cut_before(std::string_view text, std::size_t max) {
  constexpr std::size_t max_character = 4;
  for (std::size_t cut = max; cut + max_character > max; --cut)
    if (!continues_character(text[cut])) return cut;
  return max;
}

/// Formats a value of type DATE (RFC 5545, 3.3.4): `20270301`.
short_text<8> to_ical_date(date day) {
  const auto dashed = to_short_text(day);
  short_text<8> text;
  std::ranges::remove_copy(dashed.view(), text.characters.begin(), '-');
  return text;
}

/// Formats a value of type DATE-TIME in UTC (RFC 5545, 3.3.5), which has no fractions: `20261120T093000Z`.
short_text<16> to_ical_time(timestamp moment) {
  constexpr std::size_t whole_seconds = 19;
  const auto dashed = to_short_text(moment);
  short_text<16> text;
  std::ranges::remove_copy_if(dashed.view().substr(0, whole_seconds), text.characters.begin(),
                              [](char c) { return c == '-' || c == ':'; });
  text.characters.back() = 'Z';
  return text;
}

/// Returns the shown end of nights without end, the first free morning: two years after `first`, plus the
/// whole years that are needed to block two years from today, so that the text changes only once a year.
date open_end(date first, date today) {
  constexpr int year = 12, shown = 24; // months
  int passed = full_months_between(first, today) / year * year;
  if (add_months(first, passed) < today) passed += year;
  return std::min(add_months(first, passed + shown), no_end);
}

struct event {
  uuid id{};
  timestamp changed_at{};
  date first{}, free{}; ///< the first blocked night, and the first free morning after it
  std::string_view summary;
};

void write(content_lines& lines, const event& event) {
  lines.add("BEGIN", "VEVENT");
  lines.add("UID", domain::to_string(event.id));
  lines.add("DTSTAMP", to_ical_time(event.changed_at).view());
  lines.add("DTSTART;VALUE=DATE", to_ical_date(event.first).view());
  // The end must be later than the start (RFC 5545, 3.8.2.2). Without an end, the event lasts one day, which
  // is correct for the last day that can be written.
  if (event.free > event.first) lines.add("DTEND;VALUE=DATE", to_ical_date(event.free).view());
  lines.add_text("SUMMARY", event.summary);
  lines.add("TRANSP", "OPAQUE");
  lines.add("END", "VEVENT");
}

constexpr std::string_view reserved = "Reserved", not_available = "Not available";

event event_of(const block& held, date today) {
  const bool open = held.nights.last == no_end;
  return {.id = held.id,
          .changed_at = held.updated_at,
          .first = held.nights.first,
          .free = open ? open_end(held.nights.first, today) : held.nights.last + days{1},
          .summary = held.source == block_source::booking ? reserved : not_available};
}

/// Returns the event for the nights after the Short-term iCal Max Date, if it is set, with the time of the
/// unit's record. Its id is derived from the unit's: it is stable without revealing that.
std::optional<event> event_after_max_date(const unit& unit, date today) {
  if (!unit.short_term_ical_max_date || *unit.short_term_ical_max_date >= no_end) return std::nullopt;
  boost::uuids::name_generator_sha1 named{unit.id};
  const date first = *unit.short_term_ical_max_date + days{1};
  return event{.id = named("nights after the short-term iCal max date"),
               .changed_at = unit.updated_at,
               .first = first,
               .free = open_end(first, today),
               .summary = not_available};
}

void write_time_zone(content_lines& lines) {
  lines.add("BEGIN", "VTIMEZONE");
  lines.add("TZID", "UTC");
  lines.add("BEGIN", "STANDARD");
  lines.add("DTSTART", "19700101T000000");
  lines.add("TZOFFSETFROM", "+0000");
  lines.add("TZOFFSETTO", "+0000");
  lines.add("END", "STANDARD");
  lines.add("END", "VTIMEZONE");
}

} // namespace

void content_lines::add(std::string_view name, std::string_view value) {
  text_.append(name) += ':';
  text_ += value;
  end_line();
}

void content_lines::add_text(std::string_view name, std::string_view value) {
  constexpr char delete_character = 0x7f;
  text_.append(name) += ':';
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const bool before_line_feed = i + 1 < value.size() && value[i + 1] == '\n';
    if (c == '\\' || c == ';' || c == ',')
      (text_ += '\\') += c;
    else if (c == '\n' || (c == '\r' && !before_line_feed))
      text_ += "\\n";
    else if (c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != delete_character))
      text_ += c;
  }
  end_line();
}

void content_lines::end_line() {
  if (text_.size() - line_start_ > max_line) {
    const auto whole = text_.substr(line_start_);
    text_.resize(line_start_);
    std::string_view rest = whole;
    for (auto max = max_line; rest.size() > max; max = max_line - 1) { // the fold's space counts
      const auto cut = cut_before(rest, max);
      text_.append(rest.substr(0, cut)).append(line_fold);
      rest.remove_prefix(cut);
    }
    text_ += rest;
  }
  text_ += "\r\n";
  line_start_ = text_.size();
}

std::string to_ical(const unit& unit, const calendar& blocked, std::string_view reader, date today) {
  constexpr std::size_t expected_event = 192, expected_rest = 384; // octets
  content_lines lines{expected_rest + (blocked.blocks().size() + 1) * expected_event};
  lines.add("BEGIN", "VCALENDAR");
  lines.add("VERSION", "2.0");
  lines.add_text("PRODID", "-//Roost//Calendar export//EN");
  lines.add("CALSCALE", "GREGORIAN");
  // RFC 7986, 5.1 and 5.7, and the name that older readers know. The landlord's own name for the unit may
  // name a person, and readers pass a calendar on.
  lines.add("NAME", "Availability");
  lines.add("X-WR-CALNAME", "Availability");
  lines.add("REFRESH-INTERVAL;VALUE=DURATION", "PT1H");
  bool empty = true;
  for (const auto& held : blocked.blocks()) {
    if (!reader.empty() && held.host == reader) continue;
    write(lines, event_of(held, today));
    empty = false;
  }
  if (const auto after_max_date = event_after_max_date(unit, today)) {
    write(lines, *after_max_date);
    empty = false;
  }
  if (empty) write_time_zone(lines);
  lines.add("END", "VCALENDAR");
  return lines.take();
}

} // namespace roost::listings
