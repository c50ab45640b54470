#include "ical/calendar_text.hpp"

/// Calendars as booking platforms and calendar programs export them.
namespace roost::ical::feeds_test {

using testing::blocked;
using testing::lines_of;

TEST(CalendarFeeds, OfAirbnb) {
  EXPECT_EQ(
      blocked(lines_of({"BEGIN:VCALENDAR",
                        "PRODID;X-RICAL-TZSOURCE=TZINFO:-//Airbnb Inc//Hosting Calendar 0.8.8//EN",
                        "CALSCALE:GREGORIAN", "VERSION:2.0", "BEGIN:VEVENT", "DTEND;VALUE=DATE:20270108",
                        "DTSTART;VALUE=DATE:20270103", "UID:1418fb94e984-0123456789abcdef@airbnb.com",
                        "DESCRIPTION:Reservation URL: https://www.airbnb.com/hosting/reservations/de",
                        " tails/HMABCDEFGH\\nPhone Number (Last 4 Digits): 0000", "SUMMARY:Reserved",
                        "END:VEVENT", "BEGIN:VEVENT", "DTEND;VALUE=DATE:20271128",
                        "DTSTART;VALUE=DATE:20270526", "UID:7f662ec65913-fedcba9876543210@airbnb.com",
                        "SUMMARY:Airbnb (Not available)", "END:VEVENT", "END:VCALENDAR"})),
      "2027-01-03..2027-01-07 2027-05-26..2027-11-27");
}

TEST(CalendarFeeds, OfBookingCom) {
  EXPECT_EQ(
      blocked("BEGIN:VCALENDAR\nPRODID:-//admin.booking.com//NONSGML Booking//EN\nCALSCALE:GREGORIAN\n"
              "VERSION:2.0\nMETHOD:PUBLISH\n\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20270210\n"
              "DTEND;VALUE=DATE:20270214\nUID:0a1b2c3d4e5f@booking.com\nSUMMARY: CLOSED - Not available\n"
              "END:VEVENT\n\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20270214\nDTEND;VALUE=DATE:20270215\n"
              "UID:5f4e3d2c1b0a@booking.com\nSUMMARY: CLOSED - Not available\nEND:VEVENT\n\nEND:VCALENDAR"),
      "2027-02-10..2027-02-13 2027-02-14..2027-02-14");
}

TEST(CalendarFeeds, OfVrbo) {
  EXPECT_EQ(blocked(lines_of({"BEGIN:VCALENDAR",
                              "PRODID:-//HomeAway.com, Inc.//EN",
                              "VERSION:2.0",
                              "BEGIN:VEVENT",
                              "UID:1c5e8f0a-0000-4000-8000-000000000001",
                              "DTSTAMP:20261120T081500Z",
                              "DTSTART;VALUE=DATE:20270320",
                              "DTEND;VALUE=DATE:20270327",
                              "SUMMARY:Reserved - Jos\xc3\xa9",
                              "DESCRIPTION:",
                              "LOCATION:",
                              "END:VEVENT",
                              "BEGIN:VEVENT",
                              "UID:1c5e8f0a-0000-4000-8000-000000000002",
                              "DTSTAMP:20261120T081500Z",
                              "DTSTART;VALUE=DATE:20270401",
                              "DTEND;VALUE=DATE:20270402",
                              "SUMMARY:Blocked",
                              "END:VEVENT",
                              "END:VCALENDAR"})),
            "2027-03-20..2027-03-26 2027-04-01..2027-04-01");
}

const std::vector<std::string> madrid{"BEGIN:VTIMEZONE",
                                      "TZID:Europe/Madrid",
                                      "X-LIC-LOCATION:Europe/Madrid",
                                      "BEGIN:DAYLIGHT",
                                      "TZOFFSETFROM:+0100",
                                      "TZOFFSETTO:+0200",
                                      "TZNAME:GMT+2",
                                      "DTSTART:19700329T020000",
                                      "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
                                      "END:DAYLIGHT",
                                      "BEGIN:STANDARD",
                                      "TZOFFSETFROM:+0200",
                                      "TZOFFSETTO:+0100",
                                      "TZNAME:GMT+1",
                                      "DTSTART:19701025T030000",
                                      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
                                      "END:STANDARD",
                                      "END:VTIMEZONE"};

TEST(CalendarFeeds, OfGoogleCalendar) {
  EXPECT_EQ(blocked(lines_of({"BEGIN:VCALENDAR", "PRODID:-//Google Inc//Google Calendar 70.9054//EN",
                              "VERSION:2.0", "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
                              "X-WR-CALNAME:Casa Verde", "X-WR-TIMEZONE:Europe/Madrid", "X-WR-CALDESC:"}) +
                    lines_of(madrid) +
                    lines_of({"BEGIN:VEVENT",
                              "DTSTART;TZID=Europe/Madrid:20270305T160000",
                              "DTEND;TZID=Europe/Madrid:20270307T100000",
                              "RRULE:FREQ=WEEKLY;UNTIL=20270409T140000Z;BYDAY=FR",
                              "EXDATE;TZID=Europe/Madrid:20270312T160000",
                              "DTSTAMP:20261128T070000Z",
                              "UID:weekend@google.com",
                              "CREATED:20261101T070000Z",
                              "DESCRIPTION:",
                              "LAST-MODIFIED:20261101T070000Z",
                              "LOCATION:",
                              "SEQUENCE:1",
                              "STATUS:CONFIRMED",
                              "SUMMARY:Familia",
                              "TRANSP:OPAQUE",
                              "BEGIN:VALARM",
                              "ACTION:DISPLAY",
                              "DESCRIPTION:This is an event reminder",
                              "TRIGGER:-P0DT0H30M0S",
                              "END:VALARM",
                              "END:VEVENT",
                              "BEGIN:VEVENT",
                              "DTSTART;TZID=Europe/Madrid:20270320T160000",
                              "DTEND;TZID=Europe/Madrid:20270321T100000",
                              "DTSTAMP:20261128T070000Z",
                              "UID:weekend@google.com",
                              "RECURRENCE-ID;TZID=Europe/Madrid:20270319T160000",
                              "STATUS:CONFIRMED",
                              "SUMMARY:Familia",
                              "TRANSP:OPAQUE",
                              "END:VEVENT",
                              "BEGIN:VEVENT",
                              "DTSTART;VALUE=DATE:20270601",
                              "DTEND;VALUE=DATE:20270602",
                              "UID:birthday@google.com",
                              "SUMMARY:Birthday",
                              "RRULE:FREQ=YEARLY",
                              "TRANSP:TRANSPARENT",
                              "END:VEVENT",
                              "BEGIN:VEVENT",
                              "DTSTART:20270610T080000Z",
                              "DTEND:20270610T090000Z",
                              "UID:cleaning@google.com",
                              "SUMMARY:Limpieza",
                              "END:VEVENT",
                              "END:VCALENDAR"})),
            "2027-03-05..2027-03-06 2027-03-20..2027-03-20 2027-03-26..2027-03-27 2027-04-02..2027-04-03 "
            "2027-04-09..2027-04-10");
}

TEST(CalendarFeeds, OfOutlook) {
  EXPECT_EQ(blocked(lines_of({"BEGIN:VCALENDAR",
                              "METHOD:PUBLISH",
                              "PRODID:Microsoft Exchange Server 2010",
                              "VERSION:2.0",
                              "BEGIN:VTIMEZONE",
                              "TZID:Romance Standard Time",
                              "BEGIN:STANDARD",
                              "DTSTART:16010101T030000",
                              "TZOFFSETFROM:+0200",
                              "TZOFFSETTO:+0100",
                              "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10",
                              "END:STANDARD",
                              "BEGIN:DAYLIGHT",
                              "DTSTART:16010101T020000",
                              "TZOFFSETFROM:+0100",
                              "TZOFFSETTO:+0200",
                              "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3",
                              "END:DAYLIGHT",
                              "END:VTIMEZONE",
                              "BEGIN:VEVENT",
                              "RRULE:FREQ=DAILY;UNTIL=20270330T130000Z;INTERVAL=2",
                              "UID:040000008200E00074C5B7101A82E008",
                              "SUMMARY;LANGUAGE=en-US:Owner",
                              "DTSTART;TZID=Romance Standard Time:20270326T150000",
                              "DTEND;TZID=Romance Standard Time:20270327T110000",
                              "CLASS:PUBLIC",
                              "PRIORITY:5",
                              "DTSTAMP:20261128T090000Z",
                              "TRANSP:OPAQUE",
                              "STATUS:CONFIRMED",
                              "SEQUENCE:0",
                              "X-MICROSOFT-CDO-BUSYSTATUS:OOF",
                              "END:VEVENT",
                              "END:VCALENDAR"})),
            "2027-03-26..2027-03-26 2027-03-28..2027-03-28 2027-03-30..2027-03-30");
}

} // namespace roost::ical::feeds_test
