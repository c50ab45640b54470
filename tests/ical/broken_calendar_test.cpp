#include "ical/calendar_text.hpp"

#include <gmock/gmock.h>

#include <chrono>

namespace roost::ical::broken_calendar_test {

using testing::blocked;
using testing::calendar;
using testing::event;
using testing::problem_of;

const std::string start = "DTSTART;VALUE=DATE:20270514";

TEST(BrokenCalendar, IsATextWithoutACalendar) {
  for (const auto* text : {"", "<!doctype html><title>Sign in</title>", "{}", "\r\n", "X-BEGIN:VCALENDAR"})
    EXPECT_EQ(problem_of(text), "The text is not a calendar: BEGIN:VCALENDAR is missing") << text;
  EXPECT_EQ(problem_of(calendar(event({start})) + std::string(1, '\0')),
            "The text is not a calendar: it contains NUL bytes");
}

TEST(BrokenCalendar, IsEachTruncationBeforeTheLastLine) {
  const auto text =
      calendar(event({start, "SUMMARY:A stay", "UID:1"}) + event({start, "RRULE:FREQ=WEEKLY;COUNT=3"}));
  const auto last_line = text.rfind("END:VCALENDAR") + std::string("END:VCALENDAR").size();
  for (std::size_t size = 0; size < last_line; ++size)
    EXPECT_THROW(blocked(text.substr(0, size)), broken_calendar) << size;
}

TEST(BrokenCalendar, HasUnbalancedComponents) {
  for (const auto& text : std::vector<std::string>{
           calendar("BEGIN:VEVENT\r\n" + start + "\r\n"),
           calendar(start + "\r\nEND:VEVENT\r\n"),
           calendar("BEGIN:VEVENT\r\n" + event({start}) + "END:VEVENT\r\n"),
           calendar(event({start, "BEGIN:VALARM"})),
           calendar(event({start, "END:VALARM"})),
           calendar(calendar("")),
           calendar("BEGIN:VTODO\r\n" + event({start}) + "END:VTODO\r\n"),
           calendar("") + event({start}),
           event({start}) + calendar(""),
           calendar("BEGIN\r\n"),
           calendar("BEGIN:\r\n"),
           calendar("") + "END:VCALENDAR\r\n",
           "BEGIN:VCALENDAR\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
       })
    EXPECT_THROW(blocked(text), broken_calendar) << text;
}

TEST(BrokenCalendar, HasAnEventWithoutAStart) {
  EXPECT_EQ(problem_of(calendar(event({"SUMMARY:A stay"}))), "The event on line 4 has no DTSTART");
  EXPECT_EQ(problem_of(calendar(event({start}) + event({"DTEND;VALUE=DATE:20270516"}))),
            "The event on line 7 has no DTSTART");
}

TEST(BrokenCalendar, HasAnEventWithAnInvalidProperty) {
  for (const auto* value : {"", "x", "2027", "20270230", "20271301", "20270500", "00000101", "20270514T",
                            "20270514T25", "20270514T250000", "20270514T156000", "20270514T150000X"})
    EXPECT_EQ(problem_of(calendar(event({"DTSTART:" + std::string(value)}))),
              "The event on line 4 has an invalid DTSTART")
        << value;
  for (const auto* line : {"DTSTART;VALUE=TEXT:20270514", "DTSTART;VALUE=PERIOD:20270514T000000Z/P1D",
                           "DTSTART", "DTSTART;VALUE=FOO:20270514"})
    EXPECT_THROW(blocked(calendar(event({line}))), broken_calendar) << line;
  for (const auto* line : {"DTEND:",
                           "DTEND:20270230",
                           "DTEND;VALUE=TEXT:20270516",
                           "DTEND;VALUE=PERIOD:20270514T000000Z/P1D",
                           "DTEND",
                           "DURATION:",
                           "DURATION:3D",
                           "DURATION:P3",
                           "DURATION:P",
                           "DURATION:PT",
                           "DURATION:P1DT",
                           "DURATION:P12T3H",
                           "DURATION:P1D2",
                           "DURATION:-P1D",
                           "DURATION:P1H",
                           "DURATION:PT1D",
                           "DURATION:P9999999999D",
                           "DURATION:P999999999W",
                           "DURATION",
                           "RRULE:",
                           "RRULE:x",
                           "RRULE:FREQ=NEVER",
                           "RRULE:COUNT=3",
                           "RRULE",
                           "RRULE:FREQ=DAILY;UNTIL=soon",
                           "RRULE:FREQ=DAILY;UNTIL=20270231",
                           "RRULE:FREQ=DAILY;INTERVAL=0",
                           "RRULE:FREQ=DAILY;INTERVAL=-1",
                           "RRULE:FREQ=DAILY;COUNT=0",
                           "RRULE:FREQ=MONTHLY;BYMONTHDAY=32",
                           "RRULE:FREQ=MONTHLY;BYDAY=XX",
                           "RRULE:FREQ=YEARLY;BYMONTH=13",
                           "RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270601",
                           "RRULE:FREQ=WEEKLY;BYMONTHDAY=1",
                           "RRULE:FREQ=MONTHLY;BYWEEKNO=1",
                           "RRULE:FREQ=MONTHLY;BYYEARDAY=1",
                           "RDATE:",
                           "RDATE:x",
                           "RDATE:20270230",
                           "RDATE;VALUE=DATE:20270601,x",
                           "RDATE;VALUE=PERIOD:20270601T150000Z/P3",
                           "RDATE;VALUE=PERIOD:20270601T150000Z/-P3D",
                           "RDATE;VALUE=PERIOD:20270601T150000Z/20270501T150000Z",
                           "RDATE;VALUE=PERIOD:20270601T150000Z",
                           "EXDATE:",
                           "EXDATE:x",
                           "EXDATE:20270230",
                           "EXDATE;VALUE=DATE:20270601,x",
                           "RECURRENCE-ID:",
                           "RECURRENCE-ID:x",
                           "RECURRENCE-ID:20270230",
                           "STATUS:",
                           "TRANSP:"})
    EXPECT_THROW(blocked(calendar(event({start, line}))), broken_calendar) << line;
}

TEST(BrokenCalendar, HasAnEventWithAPropertyTwice) {
  for (const auto* line : {"DTSTART;VALUE=DATE:20270515", "STATUS:CANCELLED", "TRANSP:OPAQUE", "UID:2",
                           "DTEND:20270516", "RECURRENCE-ID:20270514"})
    EXPECT_THROW(blocked(calendar(event({start, "STATUS:CONFIRMED", "TRANSP:TRANSPARENT", "UID:1",
                                         "DTEND:20270517", "RECURRENCE-ID:20270515", line}))),
                 broken_calendar)
        << line;
  EXPECT_THROW(blocked(calendar(event({start, "DURATION:P1D", "DURATION:P1D"}))), broken_calendar);
  EXPECT_EQ(problem_of(calendar(event({start, "DTEND:20270517", "DURATION:P3D"}))),
            "The event on line 4 has both a DTEND and a DURATION");
}

TEST(BrokenCalendar, RepeatsMoreOftenThanDaily) {
  for (const auto* frequency : {"HOURLY", "MINUTELY", "SECONDLY"})
    EXPECT_EQ(problem_of(calendar(event({start, "RRULE:FREQ=" + std::string(frequency)}))),
              "The event on line 4 repeats more often than daily");
  EXPECT_EQ(problem_of(calendar(
                event({"DTSTART:20270514T000000", "RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5"}))),
            "The event on line 4 repeats too often");
  EXPECT_EQ(problem_of(calendar(event({start, "RRULE:RSCALE=CHINESE;FREQ=YEARLY"}))),
            "The event on line 4 repeats by a calendar other than the Gregorian");
}

TEST(BrokenCalendar, DefinesNoZoneThatItNeeds) {
  EXPECT_EQ(problem_of(calendar(event({"DTSTART;TZID=Nowhere:20270514T150000", "DURATION:P1D",
                                       "RRULE:FREQ=DAILY;UNTIL=20270520T120000Z"}))),
            "The calendar does not define one of the time zones that its events name");
  for (const auto* zone :
       {"../../../etc/passwd", "/etc/passwd", "Europe", "Europe/../Europe/Madrid", "posixrules/x"})
    EXPECT_THROW(blocked(calendar(event(
                     {"DTSTART;TZID=" + std::string(zone) + ":20270514T150000", "EXDATE:20270514T130000Z"}))),
                 broken_calendar)
        << zone;
}

TEST(BrokenCalendar, DefinesAZoneThatItNeedsWithoutAnOffset) {
  const auto stay = event({"DTSTART;TZID=Own:20270514T150000", "DURATION:P1D", "EXDATE:20270514T130000Z"});
  for (const auto* line :
       {"X-A:1", "TZOFFSETTO:x", "DTSTART:20270514T000000", "DTSTART:x\r\nTZOFFSETTO:+0100",
        "DTSTART:20000101T000000\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=SECONDLY"}) {
    const auto zone = "BEGIN:VTIMEZONE\r\nTZID:Own\r\nBEGIN:STANDARD\r\n" + std::string(line) +
                      "\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n";
    EXPECT_THROW(blocked(calendar(zone + stay)), broken_calendar) << line;
    EXPECT_EQ(blocked(calendar(zone + event({start}))), "2027-05-14..2027-05-14") << line; // not needed
  }
}

TEST(BrokenCalendar, HasTooManyRanges) {
  std::string events;
  for (int i = 0; i < 10'000; ++i)
    events += event({"DTSTART;VALUE=DATE:20270514", "DURATION:P" + std::to_string(i + 1) + "D"});
  EXPECT_EQ(blocked_nights(calendar(events), testing::today).size(), 10'000U);
  EXPECT_EQ(problem_of(calendar(events + event({"DTSTART;VALUE=DATE:20270515"}))),
            "The calendar blocks more than 10,000 stays");
}

TEST(BrokenCalendar, CausesTooMuchWork) {
  const auto many = [](int count, const std::vector<std::string>& lines) {
    std::string events;
    for (int i = 0; i < count; ++i) events += event(lines);
    return calendar(events);
  };
  const std::string problem = "The events of the calendar repeat too often";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(
      problem_of(many(20, {"DTSTART:00010101", "RRULE:FREQ=YEARLY;COUNT=100000;BYMONTHDAY=30;BYDAY=MO"})),
      problem);
  EXPECT_EQ(problem_of(many(500, {"DTSTART:20200101", "RRULE:FREQ=DAILY"})), problem);
  std::string changes;
  for (int i = 0; i < 1'500; ++i)
    changes +=
        event({"UID:1", "DTSTART:20270514"}) + event({"UID:1", "RECURRENCE-ID:20270514", "DTSTART:20270514"});
  EXPECT_EQ(problem_of(calendar(changes)), problem);
  std::string rules;
  for (int i = 0; i <= 10'000; ++i) rules += "RRULE:FREQ=YEARLY;COUNT=1\r\n";
  EXPECT_EQ(problem_of(calendar(event({start, rules}))),
            "The calendar has more than 10,000 recurrence rules");
  std::string exceptions = "EXDATE:20270514";
  while (exceptions.size() < 100'000) exceptions += ",20270514";
  EXPECT_THROW(blocked(calendar(event({start, exceptions}))), broken_calendar);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{60}); // with sanitizers
}

TEST(BrokenCalendar, IsNoCalendarWithManyRepeatedEvents) {
  std::string events;
  for (int i = 0; i < 200; ++i)
    events += event({"UID:" + std::to_string(i), "DTSTART:20200101", "RRULE:FREQ=DAILY"});
  for (int i = 0; i < 1'000; ++i)
    events += event({"UID:weekly" + std::to_string(i), "DTSTART:19700101", "RRULE:FREQ=YEARLY"});
  EXPECT_FALSE(blocked(calendar(events)).empty());
}

TEST(BrokenCalendar, IsExplainedInOneLineWithoutItsText) {
  for (const auto& text : {calendar("BEGIN:\x01secret\r\n"), calendar(event({"DTSTART:\x01secret"})),
                           calendar(event({start, "EXDATE;TZID=secret:20270514T150000", "RRULE:secret"}))})
    EXPECT_THAT(problem_of(text),
                ::testing::Not(::testing::AnyOf(::testing::HasSubstr("secret"), ::testing::HasSubstr("\n"))));
}

} // namespace roost::ical::broken_calendar_test
