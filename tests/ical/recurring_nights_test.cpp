#include "ical/calendar_text.hpp"

#include <sstream>
#include <thread>

namespace roost::ical::recurring_nights_test {

using testing::blocked;
using testing::blocked_by;
using testing::calendar;
using testing::event;
using testing::lines_of;

/// Returns the first nights of the ranges, as "05-14 05-21", of an event in 2027 with DTSTART and further
/// lines.
std::string starts(const std::string& text) {
  std::istringstream ranges(blocked(text));
  std::string shown, range;
  while (ranges >> range)
    if (range.starts_with("2027-")) shown += (shown.empty() ? "" : " ") + range.substr(5, 5);
  return shown;
}
std::string starts_of(std::string start, const std::vector<std::string>& lines) {
  std::vector<std::string> all{"UID:1", "DTSTART" + std::move(start), "DURATION:P1D"};
  all.insert(all.end(), lines.begin(), lines.end());
  return starts(calendar(event(all)));
}

struct rule_case {
  std::string rule, starts;
};

/// Expects the starts of an event on Friday, 1 January 2027.
void expect_starts(const std::vector<rule_case>& cases) {
  for (const auto& each : cases)
    EXPECT_EQ(starts_of(";VALUE=DATE:20270101", {"RRULE:" + each.rule}), each.starts) << each.rule;
}

TEST(RecurringNights, FollowARule) {
  expect_starts({
      {"FREQ=DAILY;COUNT=3", "01-01 01-02 01-03"},
      {"FREQ=DAILY;INTERVAL=10;COUNT=3", "01-01 01-11 01-21"},
      {"FREQ=DAILY;UNTIL=20270103", "01-01 01-02 01-03"},
      {"FREQ=DAILY;BYDAY=FR,SA;BYMONTH=1,3;UNTIL=20270306",
       "01-01 01-02 01-08 01-09 01-15 01-16 01-22 01-23 01-29 01-30 03-05 03-06"},
      {"FREQ=WEEKLY;COUNT=3", "01-01 01-08 01-15"},
      {"FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU;COUNT=4", "01-01 01-03 01-15 01-17"},
      {"FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU;COUNT=4;WKST=SU", "01-01 01-10 01-15 01-24"},
      {"FREQ=MONTHLY;COUNT=3", "01-01 02-01 03-01"},
      {"FREQ=MONTHLY;BYDAY=1FR;COUNT=3", "01-01 02-05 03-05"},
      {"FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=1,13;UNTIL=20271231", "01-01 08-13 10-01"},
      {"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1;COUNT=4", "01-01 01-29 02-01 02-26"},
      {"FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "01-01 01-31 02-28 03-31"}, // DTSTART always counts
      {"FREQ=MONTHLY;INTERVAL=18;UNTIL=20280701", "01-01"},
      {"FREQ=YEARLY;BYMONTH=1,6;BYDAY=-1SU;UNTIL=20271231", "01-01 01-31 06-27"},
      {"FREQ=YEARLY;BYDAY=1FR,-1FR;UNTIL=20271231", "01-01 12-31"},
      {"FREQ=YEARLY;BYYEARDAY=1,100,-1;UNTIL=20271231", "01-01 04-10 12-31"},
      {"FREQ=YEARLY;BYWEEKNO=1,20;UNTIL=20271231", "01-01 01-08 05-21"}, // the weekday of the start
      {"FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;UNTIL=20271231", "01-01 05-17"},
      {"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "01-01"},
      {"FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,25;UNTIL=20271231", "01-01 12-24 12-25"},
  });
  EXPECT_EQ(starts_of(";VALUE=DATE:20270131", {"RRULE:FREQ=MONTHLY;COUNT=3"}), "01-31 03-31 05-31");
  EXPECT_EQ(starts_of(":20270101T220000", {"RRULE:FREQ=DAILY;BYHOUR=9,21;BYMINUTE=0;BYSECOND=0;COUNT=3"}),
            "01-01 01-02 01-03");
}

TEST(RecurringNights, EndWithTheWindowIfTheRuleHasNoEnd) {
  const auto nights = blocked_nights(
      calendar(event({"DTSTART;VALUE=DATE:19990101", "DURATION:P2D", "RRULE:FREQ=DAILY"})), testing::today);
  ASSERT_EQ(nights.size(), 365U + 1826U + 3U);
  EXPECT_EQ(nights.front(),
            (domain::nights{*domain::parse_date("2025-11-26"), *domain::parse_date("2025-11-27")}));
  EXPECT_EQ(nights.back(),
            (domain::nights{*domain::parse_date("2031-11-28"), *domain::parse_date("2031-11-29")}));
}

TEST(RecurringNights, IncludeTheLastOneOfARule) {
  const std::string zone = ";TZID=Europe/Madrid:20270301T150000";
  // The clock in Madrid is one hour ahead of UTC until 28 March, then two.
  for (const auto* until : {"20270329T130000Z", "20270329T150000", "20270329", "20270404T235959Z"})
    EXPECT_EQ(starts_of(zone, {"RRULE:FREQ=WEEKLY;UNTIL=" + std::string(until)}),
              "03-01 03-08 03-15 03-22 03-29")
        << until;
  EXPECT_EQ(starts_of(zone, {"RRULE:FREQ=WEEKLY;UNTIL=20270329T125959Z"}), "03-01 03-08 03-15 03-22");
  EXPECT_EQ(starts_of(":20270301T150000", {"RRULE:FREQ=WEEKLY;UNTIL=20270308T050000Z"}), "03-01 03-08");
  EXPECT_EQ(starts_of(":20270301T150000Z", {"RRULE:FREQ=WEEKLY;UNTIL=20270308T145959Z"}), "03-01");
  EXPECT_EQ(starts_of(";VALUE=DATE:20270301", {"RRULE:FREQ=WEEKLY;UNTIL=20270308T000000Z"}), "03-01 03-08");
}

/// A zone that is two hours behind UTC, and one hour behind from April to September.
const std::string own_zone =
    lines_of({"BEGIN:VTIMEZONE", "TZID:Own; zone", "LAST-MODIFIED:x", "BEGIN:STANDARD",
              "DTSTART:20001001T000000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=1", "TZOFFSETFROM:-0100",
              "TZOFFSETTO:-0200", "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:20000401T000000",
              "RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=1;UNTIL=20400401T020000Z", "TZOFFSETFROM:-0200",
              "TZOFFSETTO:-0100", "TZNAME:", "END:DAYLIGHT", "END:VTIMEZONE"});

TEST(RecurringNights, UseTheZonesThatTheCalendarDefines) {
  const auto stay = [](const std::string& line) {
    const auto its = event({"DTSTART;TZID=\"Own; zone\":20270318T233000", "DURATION:P1D", line,
                            "RRULE:FREQ=WEEKLY;UNTIL=20270409T003000Z"});
    return starts(calendar(its + own_zone)); // zones may follow
  };
  EXPECT_EQ(stay("X-A:1"), "03-18 03-25 04-01 04-08");
  EXPECT_EQ(stay("EXDATE:20270326T013000Z"), "03-18 04-01 04-08");
  EXPECT_EQ(stay("EXDATE:20270402T003000Z"), "03-18 03-25 04-08");
  EXPECT_EQ(stay("EXDATE:20270402T013000Z"), "03-18 03-25 04-01 04-08"); // another time
  EXPECT_EQ(stay("EXDATE;TZID=Europe/Madrid:20270402T023000"), "03-18 03-25 04-08");
  EXPECT_EQ(stay("RDATE:20270501T003000Z"), "03-18 03-25 04-01 04-08 04-30");
}

TEST(RecurringNights, UseTheZonesOfTheSystemIfTheCalendarDefinesNone) {
  const auto stay = [](const std::string& zones) {
    return starts(calendar(zones + event({"DTSTART;TZID=Europe/Madrid:20270101T150000", "DURATION:P1D",
                                          "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20270102T140000Z"})));
  };
  EXPECT_EQ(stay(""), "01-01 01-03");
  for (const auto* line : {"", "TZID:\r\n", "TZID:Other\r\n", "TZID\r\n"})
    EXPECT_EQ(stay("BEGIN:VTIMEZONE\r\n" + std::string(line) + "END:VTIMEZONE\r\n"), "01-01 01-03") << line;
}

TEST(RecurringNights, AreTheSameOnAllThreads) {
  const auto zones = {"Europe/Madrid", "America/New_York", "Asia/Tokyo", "Europe/Lisbon", "Africa/Cairo"};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (const std::string zone : zones)
        EXPECT_EQ(starts_of(";TZID=" + zone + ":20270101T150000",
                            {"RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260101T140000Z"}),
                  "01-01 01-02");
    });
}

TEST(RecurringNights, LeaveOutExceptions) {
  const std::string rule = "RRULE:FREQ=DAILY;COUNT=5";
  EXPECT_EQ(
      starts_of(";VALUE=DATE:20270101", {rule, "EXDATE;VALUE=DATE:20270101,20270103", "EXDATE:20270105"}),
      "01-02 01-04");
  EXPECT_EQ(starts_of(";VALUE=DATE:20270101", {rule, "EXDATE:20270103T000000"}), "01-01 01-02 01-04 01-05");
  const std::string madrid = ";TZID=Europe/Madrid:20270101T150000";
  for (const auto* exception : {"EXDATE:20270103T140000Z", "EXDATE;TZID=Europe/Madrid:20270103T150000",
                                "EXDATE;TZID=America/New_York:20270103T090000", "EXDATE:20270103T150000",
                                "EXDATE;VALUE=DATE:20270103"})
    EXPECT_EQ(starts_of(madrid, {rule, exception}), "01-01 01-02 01-04 01-05") << exception;
  EXPECT_EQ(starts_of(madrid, {rule, "EXDATE:20270103T150000Z"}), "01-01 01-02 01-03 01-04 01-05");
  EXPECT_EQ(starts_of(";TZID=Unknown:20270101T150000", {rule, "EXDATE;TZID=Unknown:20270103T150000"}),
            "01-01 01-02 01-04 01-05");
  EXPECT_EQ(starts_of(":20270101T150000Z", {rule, "EXDATE;TZID=Etc/UTC:20270103T150000"}),
            "01-01 01-02 01-04 01-05");
}

TEST(RecurringNights, IncludeAdditionalDatesAndPeriods) {
  EXPECT_EQ(starts_of(";VALUE=DATE:20270101", {"RDATE;VALUE=DATE:20270201,20270301", "EXDATE:20270201"}),
            "01-01 03-01");
  EXPECT_EQ(starts_of(":20270101T150000", {"RDATE;VALUE=DATE:20270201"}), "01-01 02-01");
  EXPECT_EQ(
      blocked_by({"DTSTART;TZID=Europe/Madrid:20270101T150000", "DTEND;TZID=Europe/Madrid:20270103T110000",
                  "RDATE;VALUE=PERIOD:20270201T233000Z/P1D,20270301T140000Z/20270304T100000Z",
                  "RDATE;TZID=Europe/Madrid;VALUE=PERIOD:20270401T150000/PT20H", "RDATE:20270501T140000Z"}),
      "2027-01-01..2027-01-02 2027-02-02..2027-02-02 2027-03-01..2027-03-03 2027-04-01..2027-04-01 "
      "2027-05-01..2027-05-02");
}

/// Returns a weekly event of four nights with changes.
std::string changed(const std::vector<std::vector<std::string>>& changes, const std::string& line = "X-A:1") {
  std::string text = event({"UID:1", "DTSTART;TZID=Europe/Madrid:20270101T150000",
                            "DTEND;TZID=Europe/Madrid:20270102T110000", "RRULE:FREQ=WEEKLY;COUNT=4", line});
  for (auto change : changes) {
    change.emplace_back("UID:1");
    text = event(change) + text; // changes may come first
  }
  return starts(calendar(text));
}

TEST(RecurringNights, AreReplacedByChanges) {
  EXPECT_EQ(changed({}), "01-01 01-08 01-15 01-22");
  EXPECT_EQ(changed({{"RECURRENCE-ID;TZID=Europe/Madrid:20270108T150000", "DTSTART:20270110T150000",
                      "DURATION:P1D"}}),
            "01-01 01-10 01-15 01-22");
  EXPECT_EQ(changed({{"RECURRENCE-ID:20270108T140000Z", "DTSTART:20270110T150000", "DURATION:P1D"}}),
            "01-01 01-10 01-15 01-22");
  EXPECT_EQ(changed({{"RECURRENCE-ID;VALUE=DATE:20270108", "DTSTART:20270110"}}), "01-01 01-10 01-15 01-22");
  for (const auto* line : {"STATUS:CANCELLED", "TRANSP:TRANSPARENT"})
    EXPECT_EQ(changed({{"RECURRENCE-ID:20270108T140000Z", "DTSTART:20270108", line}}), "01-01 01-15 01-22")
        << line;
  EXPECT_EQ(changed({{"RECURRENCE-ID:20270108T140000Z", "DTSTART:20270108"}}, "TRANSP:TRANSPARENT"), "01-08");
  EXPECT_EQ(changed({{"RECURRENCE-ID:20270109T140000Z", "DTSTART:20270301"}}),
            "01-01 01-08 01-15 01-22 03-01");
  EXPECT_EQ(changed({{"RECURRENCE-ID:20270101T140000Z", "DTSTART:20270301"},
                     {"RECURRENCE-ID:20270108T140000Z", "DTSTART:20270302"}}),
            "01-15 01-22 03-01 03-02");
}

TEST(RecurringNights, AreMovedByChangesOfThisAndTheFuture) {
  const std::string future = "RECURRENCE-ID;RANGE=THISANDFUTURE:20270108T140000Z";
  EXPECT_EQ(changed({{future, "DTSTART:20270109T150000", "DURATION:P1D"}}), "01-01 01-09 01-16 01-23");
  EXPECT_EQ(changed({{future, "DTSTART:20270108T150000", "STATUS:CANCELLED"}}), "01-01");
  EXPECT_EQ(changed({{future, "DTSTART:20270109T150000", "DURATION:P1D"},
                     {"RECURRENCE-ID:20270115T140000Z", "DTSTART:20270301"}}),
            "01-01 01-09 01-23 03-01");
  EXPECT_EQ(changed({{future, "DTSTART:20270109T150000", "DURATION:P1D"},
                     {"RECURRENCE-ID;RANGE=THISANDFUTURE:20270122T140000Z", "DTSTART:20270121T150000",
                      "DURATION:P1D"}}),
            "01-01 01-09 01-16 01-21");
}

TEST(RecurringNights, OfEventsWithOneUidAreSeparate) {
  const std::string other = event({"UID:1", "DTSTART:20270301"});
  EXPECT_EQ(starts(calendar(event({"UID:1", "DTSTART:20270201", "RRULE:FREQ=DAILY;COUNT=2"}) + other)),
            "02-01 02-02 03-01");
  EXPECT_EQ(starts(calendar(
                event({"UID:2", "DTSTART:20270301", "RECURRENCE-ID:20270301", "STATUS:CANCELLED"}) + other)),
            "03-01");
  EXPECT_EQ(
      starts(calendar(event({"DTSTART:20270302", "RECURRENCE-ID:20270301"}) + event({"DTSTART:20270301"}))),
      "03-01 03-02"); // without a UID
}

} // namespace roost::ical::recurring_nights_test
