#include "ical/calendar_text.hpp"
#include "support/random_cases.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace roost::ical::blocked_nights_test {

using domain::date;
using domain::days;
using domain::int_between;
using testing::blocked;
using testing::blocked_by;
using testing::calendar;
using testing::event;
using testing::today;

struct blocking_case {
  std::vector<std::string> lines;
  std::string nights;
};

void expect_blocked(const std::vector<blocking_case>& cases) {
  for (const auto& each : cases)
    EXPECT_EQ(blocked_by(each.lines), each.nights) << testing::lines_of(each.lines);
}

TEST(BlockedNights, OfDatesEndBeforeTheEnd) {
  expect_blocked({
      {{"DTSTART;VALUE=DATE:20270514", "DTEND;VALUE=DATE:20270516"}, "2027-05-14..2027-05-15"},
      {{"DTSTART:20270514", "DTEND:20270516"}, "2027-05-14..2027-05-15"}, // VALUE=DATE is missing
      {{"DTSTART;VALUE=DATE:20270514T000000", "DTEND;VALUE=DATE:20270516T000000"}, "2027-05-14..2027-05-15"},
      {{"DTSTART;VALUE=DATE;TZID=Europe/Madrid:20270514", "DTEND;TZID=:20270516T110000"},
       "2027-05-14..2027-05-15"},
      {{"DTSTART;VALUE=DATE:20270228", "DTEND;VALUE=DATE:20270302"}, "2027-02-28..2027-03-01"},
      {{"DTSTART;VALUE=DATE:20280228", "DTEND;VALUE=DATE:20280301"}, "2028-02-28..2028-02-29"},
      {{"dtstart;value=date:20270514", "Dtend;Value=Date:20270516"}, "2027-05-14..2027-05-15"},
      {{"DTSTART;VALUE=DATE:20270514", "DTEND;VALUE=DATE:99991231"}, "2027-05-14..9999-12-30"},
  });
}

TEST(BlockedNights, OfADateAreAtLeastOne) {
  expect_blocked({
      {{"DTSTART;VALUE=DATE:20270514"}, "2027-05-14..2027-05-14"},
      {{"DTSTART;VALUE=DATE:20270514", "DTEND;VALUE=DATE:20270514"}, "2027-05-14..2027-05-14"},
      {{"DTSTART;VALUE=DATE:20270514", "DTEND;VALUE=DATE:20270501"}, "2027-05-14..2027-05-14"},
      {{"DTSTART;VALUE=DATE:20270514", "DURATION:P0D"}, "2027-05-14..2027-05-14"},
  });
}

TEST(BlockedNights, OfTimesAreThoseBetweenTheirLocalDates) {
  expect_blocked({
      {{"DTSTART:20270514T150000", "DTEND:20270516T110000"}, "2027-05-14..2027-05-15"},
      {{"DTSTART:20270514T150000Z", "DTEND:20270516T110000Z"}, "2027-05-14..2027-05-15"},
      {{"DTSTART:20270514T235959Z", "DTEND:20270515T000000Z"}, "2027-05-14..2027-05-14"},
      {{"DTSTART;TZID=Europe/Madrid:20270514T150000", "DTEND;TZID=Europe/Madrid:20270516T110000"},
       "2027-05-14..2027-05-15"},
      {{"DTSTART;TZID=Unknown:20270514T003000", "DTEND;TZID=\"Un:known\":20270515T003000"},
       "2027-05-14..2027-05-14"},
      {{"DTSTART;TZID=Asia/Tokyo:20270514T003000", "DTEND;TZID=America/Los_Angeles:20270515T003000"},
       "2027-05-14..2027-05-14"},
  });
}

TEST(BlockedNights, OfTimesOnOneDateAreNone) {
  expect_blocked({
      {{"DTSTART:20270514T100000", "DTEND:20270514T235900"}, ""},
      {{"DTSTART:20270514T100000"}, ""},
      {{"DTSTART:20270514T100000", "DTEND:20270513T100000"}, ""}, // as of a flight across the date line
      {{"DTSTART:20270514T100000", "DURATION:PT13H59M59S"}, ""},
  });
}

TEST(BlockedNights, FollowFromADuration) {
  expect_blocked({
      {{"DTSTART;VALUE=DATE:20270514", "DURATION:P3D"}, "2027-05-14..2027-05-16"},
      {{"DTSTART;VALUE=DATE:20270514", "DURATION:P2W"}, "2027-05-14..2027-05-27"},
      {{"DTSTART;VALUE=DATE:20270514", "DURATION:+P1DT24H"}, "2027-05-14..2027-05-15"},
      {{"DTSTART:20270514T150000", "DURATION:P1DT20H"}, "2027-05-14..2027-05-15"},
      {{"DTSTART:20270514T150000", "DURATION:PT9H"}, "2027-05-14..2027-05-14"},
      {{"DTSTART;VALUE=DATE:20270514", "DURATION:P3000000D"}, "2027-05-14..9999-12-31"},
  });
}

TEST(BlockedNights, AreNoneOfCancelledAndTransparentEvents) {
  const auto stay = [](const std::string& line) {
    return blocked_by({"DTSTART;VALUE=DATE:20270514", "DTEND;VALUE=DATE:20270516", line});
  };
  for (const auto* line :
       {"STATUS:CANCELLED", "TRANSP:TRANSPARENT", "status:cancelled", "TRANSP:Transparent "})
    EXPECT_EQ(stay(line), "") << line;
  for (const auto* line : {"STATUS:CONFIRMED", "STATUS:TENTATIVE", "TRANSP:OPAQUE", "STATUS:BOOKED",
                           "TRANSP:BUSY", "X-MICROSOFT-CDO-BUSYSTATUS:FREE", "CLASS:PRIVATE"})
    EXPECT_EQ(stay(line), "2027-05-14..2027-05-15") << line;
}

TEST(BlockedNights, AreSortedAndEachRangeOccursOnce) {
  const auto stay = [](const std::string& from, const std::string& to) {
    return event({"UID:same", "DTSTART;VALUE=DATE:" + from, "DTEND;VALUE=DATE:" + to});
  };
  EXPECT_EQ(blocked(calendar(stay("20270514", "20270520") + stay("20270514", "20270516") +
                             stay("20270101", "20270102") + stay("20270514", "20270516"))),
            "2027-01-01..2027-01-01 2027-05-14..2027-05-15 2027-05-14..2027-05-19");
}

TEST(BlockedNights, LeaveOutEventsFarFromToday) {
  expect_blocked({
      {{"DTSTART;VALUE=DATE:20251120", "DTEND;VALUE=DATE:20251128"}, "2025-11-20..2025-11-27"},
      {{"DTSTART;VALUE=DATE:20251120", "DTEND;VALUE=DATE:20251127"}, ""},
      {{"DTSTART;VALUE=DATE:20200101", "DTEND;VALUE=DATE:20270101"}, "2020-01-01..2026-12-31"},
      {{"DTSTART;VALUE=DATE:20311128", "DTEND;VALUE=DATE:20311130"}, "2031-11-28..2031-11-29"},
      {{"DTSTART;VALUE=DATE:20311129", "DTEND;VALUE=DATE:20311130"}, ""},
      {{"DTSTART;VALUE=DATE:00010101"}, ""},
      {{"DTSTART;VALUE=DATE:99991231"}, ""},
  });
}

TEST(BlockedNights, OfACalendarWithoutEventsAreNone) {
  EXPECT_EQ(blocked(calendar("")), "");
  EXPECT_EQ(blocked(calendar("BEGIN:VTODO\r\nDTSTART:x\r\nEND:VTODO\r\n")), "");
  EXPECT_EQ(blocked("BEGIN:VCALENDAR\nEND:VCALENDAR"), "");
}

TEST(BlockedNights, IncludeAllCalendarsOfAText) {
  const auto first = calendar(event({"DTSTART;VALUE=DATE:20270514"})),
             second = calendar(event({"DTSTART;VALUE=DATE:20270516"}));
  EXPECT_EQ(blocked(first + second), "2027-05-14..2027-05-14 2027-05-16..2027-05-16");
  EXPECT_EQ(blocked("\r\n\r\nNotice: text of a script\r\n" + first + "\r\n"), "2027-05-14..2027-05-14");
}

TEST(BlockedNights, DoNotDependOnHowLinesAreFoldedOrEnd) {
  const std::string nights = "2027-05-14..2027-05-15";
  const std::string text =
      calendar(event({"DTSTART;VALUE=DATE:20270514", "SUMMARY:A stay", "DTEND;VALUE=DATE:20270516"}));
  auto folded = text;
  for (std::size_t at = 1; at < folded.size(); at += 4)
    if (folded[at] != '\n' && folded[at - 1] != '\n' && folded[at - 1] != '\r') folded.insert(at, "\r\n ");
  auto with_lf = folded, doubled = text;
  std::erase(with_lf, '\r');
  for (std::size_t at = doubled.find('\r'); at != std::string::npos; at = doubled.find('\r', at + 2))
    doubled.insert(at, 1, '\r');
  EXPECT_EQ(blocked(text), nights);
  EXPECT_EQ(blocked(folded), nights) << folded;
  EXPECT_EQ(blocked(with_lf), nights) << with_lf;
  EXPECT_EQ(blocked(doubled), nights) << doubled;
  EXPECT_EQ(blocked("\xef\xbb\xbf" + text), nights);
  EXPECT_EQ(blocked(text.substr(0, text.size() - 2)), nights); // no end of the last line
}

TEST(BlockedNights, DoNotDependOnTextsAndOtherComponents) {
  const std::vector<std::string> ignored{
      "SUMMARY:",
      "LOCATION:",
      "DESCRIPTION:",
      "SUMMARY:Caf\xe9",
      "DESCRIPTION:\xff\xfe\x80",
      "UID:",
      "UID",
      "a line that a raw line end in a description made",
      "X-DTEND:20280101",
      "DESCRIPTION:DTEND:20280101",
      "",
      "GEO:x",
      "PRIORITY:high",
      "CREATED:yesterday",
      "LAST-MODIFIED:",
      "DTSTAMP:0",
      "URL;VALUE=URI:",
      "ORGANIZER:",
      "BEGIN:VALARM\r\nTRIGGER:x\r\nDURATION:x\r\nDTEND:20280101\r\nEND:VALARM"};
  for (const auto& line : ignored)
    EXPECT_EQ(blocked_by({"DTSTART;VALUE=DATE:20270514", line, "DTEND;VALUE=DATE:20270516"}),
              "2027-05-14..2027-05-15")
        << line;
}

/// A random event and the nights that it should block.
struct random_event {
  std::vector<std::string> lines;
  std::vector<std::pair<date, date>> nights;
};

std::string digits_of(date day) {
  auto text = domain::to_string(day);
  std::erase(text, '-');
  return text;
}

random_event make_event(std::mt19937& random) {
  const bool is_date = int_between(random, 0, 1) == 0;
  const auto start = today + days{int_between(random, -500, 2000)};
  const int length = int_between(random, 1, 20);
  const std::string time = is_date ? "" : "T150000", end_time = is_date ? "" : "T110000";
  const std::string kind = is_date ? ";VALUE=DATE:" : ":";
  random_event made{{"DTSTART" + kind + digits_of(start) + time}, {}};
  if (int_between(random, 0, 2) > 0)
    made.lines.push_back("DTEND" + kind + digits_of(start + days{length}) + end_time);
  else
    made.lines.push_back("DURATION:P" + std::to_string(length) + "D");
  std::set<date> starts{start};
  if (int_between(random, 0, 2) == 0) {
    const int count = int_between(random, 1, 30), interval = int_between(random, 1, 40);
    const bool weekly = int_between(random, 0, 1) == 0;
    made.lines.push_back(std::string("RRULE:FREQ=") + (weekly ? "WEEKLY" : "DAILY") +
                         ";INTERVAL=" + std::to_string(interval) + ";COUNT=" + std::to_string(count));
    for (int i = 0; i < count; ++i) starts.insert(start + days{i * interval * (weekly ? 7 : 1)});
  }
  for (int i = int_between(random, -3, 3); i > 0; --i) {
    const auto excluded = start + days{7 * int_between(random, 0, 50)};
    made.lines.push_back("EXDATE" + kind + digits_of(excluded) + time);
    starts.erase(excluded);
  }
  const bool blocks = int_between(random, 0, 9) > 0;
  if (!blocks) made.lines.emplace_back("STATUS:CANCELLED");
  for (const auto each : starts)
    if (blocks) made.nights.emplace_back(each, each + days{length - 1});
  std::ranges::shuffle(made.lines, random);
  return made;
}

TEST(BlockedNightsProperty, AreThoseOfASimpleModel) {
  domain::for_random_cases(300, [](std::mt19937& random) {
    const auto first = domain::add_months(today, -12), last = domain::add_months(today, 60);
    std::string text;
    std::set<std::pair<date, date>> expected;
    for (int i = int_between(random, 0, 20); i > 0; --i) {
      const auto made = make_event(random);
      text += event(made.lines);
      for (const auto& [from, to] : made.nights)
        if (to + days{1} >= first && from <= last) expected.emplace(from, to);
    }
    std::set<std::pair<date, date>> actual;
    for (const auto& each : blocked_nights(calendar(text), today)) actual.emplace(each.first, each.last);
    EXPECT_EQ(actual, expected) << text;
  });
}

} // namespace roost::ical::blocked_nights_test
