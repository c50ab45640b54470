#include "listings/ical.hpp"
#include "support/patterns.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace roost::listings::ical_test {

using domain::block, domain::block_source, domain::calendar, domain::date, domain::days,
    domain::for_random_cases, domain::int_between, domain::no_end, domain::operator""_at,
    domain::operator""_date, domain::parse_date, domain::parse_uuid, domain::to_string, domain::unit;

constexpr auto unit_id = "11111111-0000-4000-8000-000000000001";
constexpr auto first_id = "c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e",
               second_id = "01a1fb89-cc01-7000-af18-6ec80ff8e534";

unit room() {
  unit result;
  result.id = parse_uuid(unit_id).value();
  result.internal_name = "Room; of Ana";
  result.updated_at = "2026-11-02T08:00:00.123Z"_at;
  return result;
}

block held(date first, date last, block_source source = block_source::manual, const char* id = first_id) {
  block result;
  result.id = parse_uuid(id).value();
  result.nights = {first, last};
  result.source = source;
  result.created_at = "2026-11-01T00:00:00Z"_at;
  result.updated_at = "2026-11-20T09:30:59.999Z"_at;
  return result;
}

block held_by(const char* host, date first, date last, const char* id = first_id) {
  auto result = held(first, last, block_source::channel, id);
  result.host = host;
  return result;
}

std::string ical_of(std::vector<block> blocks, const char* reader = "", date today = "2026-11-20"_date,
                    const unit& exported = room()) {
  return to_ical(exported, calendar{std::move(blocks)}, reader, today);
}

unit room_until(date max) {
  auto result = room();
  result.short_term_ical_max_date = max;
  return result;
}

/// Returns an iCalendar object of these lines, with line ends.
std::string object(const std::vector<std::string>& components) {
  std::string text;
  const auto add = [&](const std::string& line) { text += line + "\r\n"; };
  for (const auto* line :
       {"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Roost//Calendar export//EN", "CALSCALE:GREGORIAN",
        "NAME:Availability", "X-WR-CALNAME:Availability", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"})
    add(line);
  for (const auto& line : components) add(line);
  add("END:VCALENDAR");
  return text;
}

/// Parses the first blocked night and the first free morning of each event.
std::vector<std::pair<date, date>> events_in(const std::string& text) {
  std::vector<std::pair<date, date>> events;
  for (const auto& part : testing::all_matches(
           text, R"(DTSTART;VALUE=DATE:(\d{4})(\d\d)(\d\d)\r\nDTEND;VALUE=DATE:(\d{4})(\d\d)(\d\d)\r\n)")) {
    const auto day = [&](std::size_t at) {
      return parse_date(part[at] + "-" + part[at + 1] + "-" + part[at + 2]).value();
    };
    events.emplace_back(day(1), day(4));
  }
  return events;
}

TEST(Ical, IsAnEventForABooking) {
  EXPECT_EQ(ical_of({held("2027-03-01"_date, "2027-03-31"_date, block_source::booking)}),
            object({"BEGIN:VEVENT", "UID:c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e", "DTSTAMP:20261120T093059Z",
                    "DTSTART;VALUE=DATE:20270301", "DTEND;VALUE=DATE:20270401", "SUMMARY:Reserved",
                    "TRANSP:OPAQUE", "END:VEVENT"}));
}

TEST(Ical, IsAnEventForEachBlockInTheOrderOfTheirNights) {
  EXPECT_EQ(ical_of({held_by("host-one", "2027-12-31"_date, "2028-02-29"_date, second_id),
                     held("2026-12-24"_date, "2026-12-24"_date)}),
            object({"BEGIN:VEVENT", "UID:c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e", "DTSTAMP:20261120T093059Z",
                    "DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261225", "SUMMARY:Not available",
                    "TRANSP:OPAQUE", "END:VEVENT", "BEGIN:VEVENT", "UID:01a1fb89-cc01-7000-af18-6ec80ff8e534",
                    "DTSTAMP:20261120T093059Z", "DTSTART;VALUE=DATE:20271231", "DTEND;VALUE=DATE:20280301",
                    "SUMMARY:Not available", "TRANSP:OPAQUE", "END:VEVENT"}));
}

TEST(Ical, HoldsATimeZoneWhenNothingIsBlocked) {
  EXPECT_EQ(ical_of({}), object({"BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000",
                                 "TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"}));
  EXPECT_EQ(ical_of({held_by("host-one", "2027-01-01"_date, "2027-01-02"_date)}, "host-one"), ical_of({}));
}

TEST(Ical, BlocksTwoYearsAfterTheShortTermMaxDate) {
  const auto text = ical_of({}, "", "2026-11-20"_date, room_until("2027-12-31"_date));
  // The version 5 UUID (RFC 9562) of the unit's id and the text "nights after the short-term iCal max date".
  EXPECT_EQ(text,
            object({"BEGIN:VEVENT", "UID:c6a010e1-bb11-513c-8d88-1ea6e5e16641", "DTSTAMP:20261102T080000Z",
                    "DTSTART;VALUE=DATE:20280101", "DTEND;VALUE=DATE:20300101", "SUMMARY:Not available",
                    "TRANSP:OPAQUE", "END:VEVENT"}));
  EXPECT_EQ(text.find(unit_id), std::string::npos);
}

TEST(Ical, KeepsTheIdOfTheNightsAfterTheMaxDate) {
  const auto id_in = [](const std::string& text) {
    return testing::all_matches(text, "UID:([^\r]*)").at(0)[1];
  };
  const auto until_2027 = ical_of({}, "", "2026-11-20"_date, room_until("2027-12-31"_date));
  const auto until_2028 = ical_of({}, "host-one", "2028-01-01"_date, room_until("2028-06-30"_date));
  EXPECT_EQ(id_in(until_2027), id_in(until_2028));
  auto other = room_until("2027-12-31"_date);
  other.id = parse_uuid(second_id).value();
  EXPECT_NE(id_in(until_2027), id_in(ical_of({}, "", "2026-11-20"_date, other)));
}

TEST(Ical, KeepsNightsAfterAPastMaxDateBlockedTwoYearsAhead) {
  const auto end_on = [](date today) {
    return to_string(events_in(ical_of({}, "", today, room_until("2025-06-30"_date))).at(0).second);
  };
  EXPECT_EQ(end_on("2025-07-01"_date), "2027-07-01");
  EXPECT_EQ(end_on("2025-07-02"_date), "2028-07-01");
  EXPECT_EQ(end_on("2026-03-15"_date), "2028-07-01");
  EXPECT_EQ(end_on("2026-07-01"_date), "2028-07-01"); // the text is the same for a year
  EXPECT_EQ(end_on("2026-07-02"_date), "2029-07-01");
}

TEST(Ical, ShowsABlockWithoutEndForTwoYearsFromStartAndToday) {
  const auto end_on = [](date today) {
    return to_string(events_in(ical_of({held("2027-02-15"_date, no_end)}, "", today)).at(0).second);
  };
  EXPECT_EQ(end_on("2026-11-20"_date), "2029-02-15");
  EXPECT_EQ(end_on("2027-02-15"_date), "2029-02-15");
  EXPECT_EQ(end_on("2027-02-16"_date), "2030-02-15");
  EXPECT_EQ(end_on("2028-02-15"_date), "2030-02-15");
}

TEST(Ical, EndsOnTheLastRepresentableDay) {
  const auto line_of_end = [](std::vector<block> blocks) {
    const auto text = ical_of(std::move(blocks), "", "2026-11-20"_date);
    const auto at = text.find("DTEND");
    return at == std::string::npos ? "none" : text.substr(at, text.find('\r', at) - at);
  };
  EXPECT_EQ(line_of_end({held("9999-01-01"_date, "9999-12-30"_date)}), "DTEND;VALUE=DATE:99991231");
  EXPECT_EQ(line_of_end({held("9999-06-01"_date, no_end)}), "DTEND;VALUE=DATE:99991231");
  EXPECT_EQ(line_of_end({held(no_end, no_end)}), "none");
  EXPECT_EQ(ical_of({}, "", "2026-11-20"_date, room_until(no_end)), ical_of({}));
}

TEST(Ical, OmitsTheReadersOwnBlocks) {
  const std::vector<block> blocks{held_by("host-one", "2027-01-01"_date, "2027-01-02"_date, first_id),
                                  held_by("host-two", "2027-02-01"_date, "2027-02-02"_date, second_id),
                                  held("2027-03-01"_date, "2027-03-02"_date),
                                  held("2027-04-01"_date, "2027-04-02"_date, block_source::booking),
                                  held("2027-05-01"_date, "2027-05-02"_date, block_source::channel)};
  const auto firsts = [&](const char* reader) {
    std::string text;
    for (const auto& [first, free] : events_in(ical_of(blocks, reader)))
      text += to_string(first).substr(5, 2);
    return text;
  };
  EXPECT_EQ(firsts(""), "0102030405");
  EXPECT_EQ(firsts("host-one"), "02030405");
  EXPECT_EQ(firsts("host-two"), "01030405");
  EXPECT_EQ(firsts("host-three"), "0102030405");
}

TEST(Ical, DoesNotDependOnTheOrderOfInsertion) {
  const auto one = held("2027-03-01"_date, "2027-03-31"_date, block_source::manual, first_id);
  const auto other = held("2027-03-01"_date, "2027-03-02"_date, block_source::booking, second_id);
  calendar added{{one}};
  added.add(other);
  const auto text = to_ical(room(), added, "", "2026-11-20"_date);
  EXPECT_EQ(text, ical_of({one, other}));
  EXPECT_EQ(text, ical_of({other, one}));
}

TEST(Ical, HasNoFoldedLinesAndNoUserText) {
  const auto text = ical_of({held("2027-03-01"_date, "2027-03-31"_date, block_source::booking)}, "",
                            "2026-11-20"_date, room_until("2027-12-31"_date));
  EXPECT_EQ(text.find("\r\n "), std::string::npos);
  EXPECT_EQ(text.find("Ana"), std::string::npos);
}

TEST(Ical, BlocksExactlyTheBlockedNights) {
  constexpr int nights_shown = 730; // from today
  for_random_cases(300, [&](std::mt19937& random) {
    const auto today = "2027-01-01"_date + days{int_between(random, 0, 800)};
    const auto near = [&] { return today + days{int_between(random, -900, 700)}; };
    std::vector<block> blocks;
    for (int left = int_between(random, 0, 8); left > 0; --left) {
      const auto first = near();
      const auto last = int_between(random, 0, 9) == 0 ? no_end : first + days{int_between(random, 0, 60)};
      blocks.push_back(held_by(int_between(random, 0, 2) == 0 ? "host-one" : "", first, last));
    }
    auto exported = room();
    if (int_between(random, 0, 2) == 0) exported.short_term_ical_max_date = near();
    for (const std::string reader : {"", "host-one"}) {
      const auto text = to_ical(exported, calendar{blocks}, reader, today);
      const auto events = events_in(text);
      for (date night = today - days{1000}; night < today + days{nights_shown}; night += days{1}) {
        const bool blocked =
            (exported.short_term_ical_max_date && night > *exported.short_term_ical_max_date) ||
            std::ranges::any_of(blocks, [&](const block& each) {
              return (reader.empty() || each.host != reader) && each.nights.first <= night &&
                     night <= each.nights.last;
            });
        const bool shown = std::ranges::any_of(
            events, [&](const auto& event) { return event.first <= night && night < event.second; });
        ASSERT_EQ(shown, blocked) << to_string(night) << " on " << to_string(today) << "\n" << text;
      }
    }
  });
}

std::string added(std::string_view name, std::string_view value) {
  content_lines lines;
  lines.add(name, value);
  return lines.take();
}

std::string added_text(std::string_view value) {
  content_lines lines;
  lines.add_text("X", value);
  return lines.take();
}

/// Returns the text's lines without their ends; fails if a line does not end in CR LF, or has a bare CR or
/// LF.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      EXPECT_EQ(text.substr(i, 2), "\r\n");
      ++i;
      lines.emplace_back();
    } else {
      EXPECT_NE(text[i], '\n');
      lines.back() += text[i];
    }
  }
  EXPECT_EQ(lines.back(), "");
  lines.pop_back();
  return lines;
}

/// Unfolds a text as readers do (RFC 5545, 3.1): removes each line's end that is followed by white space.
std::string unfolded(const std::string& text) {
  std::string whole;
  for (const auto& line : lines_of(text)) {
    if (line.starts_with(' ') && !whole.empty()) {
      whole.resize(whole.size() - 2);
      whole += line.substr(1) + "\r\n";
    } else {
      whole += line + "\r\n";
    }
  }
  return whole;
}

TEST(ContentLines, EndInCarriageReturnAndLineFeed) {
  content_lines lines;
  lines.add("BEGIN", "VCALENDAR");
  lines.add("DTSTART;VALUE=DATE", "20270301");
  EXPECT_EQ(lines.text(), "BEGIN:VCALENDAR\r\nDTSTART;VALUE=DATE:20270301\r\n");
}

TEST(ContentLines, AreNotFoldedUpTo75Octets) {
  EXPECT_EQ(added("X", std::string(73, 'a')), "X:" + std::string(73, 'a') + "\r\n");
}

TEST(ContentLines, AreFoldedFromThe76thOctet) {
  EXPECT_EQ(added("X", std::string(74, 'a')), "X:" + std::string(73, 'a') + "\r\n a\r\n");
}

TEST(ContentLines, CountTheSpaceOfAFoldedLine) {
  EXPECT_EQ(added("X", std::string(73 + 74, 'a')),
            "X:" + std::string(73, 'a') + "\r\n " + std::string(74, 'a') + "\r\n");
  EXPECT_EQ(added("X", std::string(73 + 75, 'a')),
            "X:" + std::string(73, 'a') + "\r\n " + std::string(74, 'a') + "\r\n a\r\n");
}

TEST(ContentLines, FoldEachLineByItself) {
  content_lines lines;
  lines.add("A", std::string(60, 'a'));
  lines.add("B", std::string(74, 'b'));
  lines.add("C", "c");
  EXPECT_EQ(lines.text(),
            "A:" + std::string(60, 'a') + "\r\nB:" + std::string(73, 'b') + "\r\n b\r\nC:c\r\n");
}

TEST(ContentLines, FoldBeforeACharacterThatWouldBeCut) {
  // Octets 74 and 75 of the line, which just fit; then 75 and 76; then three octets and four around the edge.
  EXPECT_EQ(added("X", std::string(71, 'a') + "é!"), "X:" + std::string(71, 'a') + "é\r\n !\r\n");
  EXPECT_EQ(added("X", std::string(72, 'a') + "é"), "X:" + std::string(72, 'a') + "\r\n é\r\n");
  EXPECT_EQ(added("X", std::string(71, 'a') + "€"), "X:" + std::string(71, 'a') + "\r\n €\r\n");
  EXPECT_EQ(added("X", std::string(72, 'a') + "€"), "X:" + std::string(72, 'a') + "\r\n €\r\n");
  for (const std::size_t before : {70U, 71U, 72U})
    EXPECT_EQ(added("X", std::string(before, 'a') + "🏠"), "X:" + std::string(before, 'a') + "\r\n 🏠\r\n");
  EXPECT_EQ(added("X", std::string(69, 'a') + "🏠!"), "X:" + std::string(69, 'a') + "🏠\r\n !\r\n");
}

TEST(ContentLines, FoldInvalidUtf8Anywhere) {
  const auto text = added("X", std::string(200, '\x80'));
  for (const auto& line : lines_of(text)) EXPECT_LE(line.size(), 75U);
  EXPECT_EQ(unfolded(text), "X:" + std::string(200, '\x80') + "\r\n");
}

TEST(ContentLines, EscapeText) {
  EXPECT_EQ(added_text(R"(a\b;c,d:"e")"), "X:"
                                          R"(a\\b\;c\,d:"e")"
                                          "\r\n");
  EXPECT_EQ(added_text(""), "X:\r\n");
  EXPECT_EQ(added_text(R"(\n)"), "X:"
                                 R"(\\n)"
                                 "\r\n");
}

TEST(ContentLines, WriteEveryLineBreakAsOne) {
  EXPECT_EQ(added_text("a\nb"), "X:a\\nb\r\n");
  EXPECT_EQ(added_text("a\r\nb"), "X:a\\nb\r\n");
  EXPECT_EQ(added_text("a\rb\r"), "X:a\\nb\\n\r\n");
  EXPECT_EQ(added_text("\n\n"), "X:\\n\\n\r\n");
}

TEST(ContentLines, OmitForbiddenControlCharacters) {
  using namespace std::string_literals;
  EXPECT_EQ(added_text("a\0\x01\x1b\x7f"s + "b\tc"), "X:ab\tc\r\n");
}

TEST(ContentLines, DoNotEscapeOtherValues) {
  EXPECT_EQ(added("RDATE", "20270101T000000Z,20270102T000000Z"),
            "RDATE:20270101T000000Z,20270102T000000Z\r\n");
}

TEST(ContentLines, RoundTripThroughUnfolding) {
  const std::vector<std::string> characters{"a", " ", "ñ", "€", "🏠", "z"};
  for_random_cases(2000, [&](std::mt19937& random) {
    std::string value;
    for (int left = int_between(random, 0, 300); left > 0; --left)
      value += characters[static_cast<std::size_t>(int_between(random, 0, 5))];
    const auto text = added("X", value);
    const auto lines = lines_of(text);
    for (const auto& line : lines) {
      EXPECT_LE(line.size(), 75U);
      const auto first = static_cast<unsigned char>(line[line.starts_with(' ') && line.size() > 1 ? 1 : 0]);
      EXPECT_NE(first & 0xc0U, 0x80U) << "a character was cut";
    }
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) EXPECT_GE(lines[i].size(), 72U) << "folded too early";
    EXPECT_EQ(unfolded(text), "X:" + value + "\r\n");
  });
}

} // namespace roost::listings::ical_test
