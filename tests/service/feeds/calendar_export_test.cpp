#include "service/support/child_process.hpp"
#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// GET /ical-integration/listings/{listingId}/iCal and …/iCal.ics.
namespace roost::testing::calendar_export_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_EACH_STORE(CalendarExportOfBookings);
ROOST_FOR_SQLITE(CalendarExport);

std::string path_of(const std::string& unit) { return "/ical-integration/listings/" + unit + "/iCal"; }

raw_response read(const running_roost& server, const header_fields& fields = {}, unsigned unit = 1) {
  return send_request(server.port(), "GET", path_of(unit_id(unit)), fields);
}

/// Replaces ids and timestamps, which differ between runs, by `<id>` and `<time>`.
std::string without_stamps(const std::string& calendar) {
  return without_times_and_ids(with_replaced(calendar, "DTSTAMP:[0-9]{8}T[0-9]{6}Z", "DTSTAMP:<time>"));
}

/// Returns the lines of an event, with days in the format `20990301`.
std::string event(const std::string& first, const std::string& free, const std::string& summary) {
  return "BEGIN:VEVENT\r\nUID:<id>\r\nDTSTAMP:<time>\r\nDTSTART;VALUE=DATE:" + first +
         "\r\nDTEND;VALUE=DATE:" + free + "\r\nSUMMARY:" + summary + "\r\nTRANSP:OPAQUE\r\nEND:VEVENT\r\n";
}

std::string object(const std::string& components) {
  return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Roost//Calendar export//EN\r\nCALSCALE:GREGORIAN\r\n"
         "NAME:Availability\r\nX-WR-CALNAME:Availability\r\n"
         "REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n" +
         components + "END:VCALENDAR\r\n";
}

const std::string nothing_blocked = object(
    "BEGIN:VTIMEZONE\r\nTZID:UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0000\r\n"
    "TZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n");

/// Returns a unit with a manual block, one of each short-term host, and blocked nights after a date.
std::string blocked_unit() {
  return portfolio_of(2, {{unit_pointer(0) + "/blocks", R"([
    {"from":"2099-01-01","to":"2099-01-31","source":"manual"},
    {"from":"2099-02-01","to":"2099-02-07","source":"channel","host":"host-one"},
    {"from":"2099-02-10","to":"2099-02-10","source":"channel","host":"host-two"}])"},
                          {unit_pointer(0) + "/shortTermIcalMaxDate", R"("2099-12-31")"}});
}

const std::string manual = event("20990101", "20990201", "Not available"),
                  of_host_one = event("20990201", "20990208", "Not available"),
                  of_host_two = event("20990210", "20990211", "Not available"),
                  after_max_date = event("21000101", "21020101", "Not available");

TEST_P(CalendarExport, ReturnsTheUnitsCalendarAsAFile) {
  workplace place(GetParam());
  place.import(blocked_unit());
  const running_roost server(place);
  const auto response = read(server);
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(response.header("content-type"), "text/calendar; charset=utf-8");
  EXPECT_EQ(response.header("content-disposition"), "attachment; filename=calendar.ics");
  EXPECT_EQ(without_stamps(response.body), object(manual + of_host_one + of_host_two + after_max_date));
  const auto as_file = send_request(server.port(), "GET", path_of(unit_id(1)) + ".ics");
  EXPECT_EQ(as_file.body, response.body);
  EXPECT_EQ(as_file.header("etag"), response.header("etag"));
  EXPECT_EQ(read(server, {}, 2).body, nothing_blocked);
}

TEST_P(CalendarExport, OmitsAConfiguredHostsOwnBlocks) {
  workplace place(GetParam());
  place.import(blocked_unit());
  const running_roost server(place);
  const auto calendar_for = [&](const std::string& field, const std::string& value) {
    return without_stamps(read(server, {{field, value}}).body);
  };
  const auto for_one = object(manual + of_host_two + after_max_date),
             for_two = object(manual + of_host_one + after_max_date),
             for_others = object(manual + of_host_one + of_host_two + after_max_date);
  EXPECT_EQ(calendar_for("Origin", "https://host-one.example"), for_one);
  EXPECT_EQ(calendar_for("Referer", "https://www.host-two.example/import"), for_two);
  EXPECT_EQ(calendar_for("User-Agent", "host-one.example/2.0"), for_one);
  EXPECT_EQ(calendar_for("Origin", "https://host-one.example.evil.test"), for_others);
  EXPECT_EQ(calendar_for("User-Agent", "nothost-one.example/2.0"), for_others);
}

TEST_P(CalendarExportOfBookings, ShowsADecidedBookingWithoutNames) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{unit_pointer(0) + "/preparationDays", "2"}}));
  running_roost server(place);
  const auto before = read(server);
  EXPECT_EQ(before.body, nothing_blocked);
  const auto partner = server.partner_of("marketplace-a");
  ASSERT_EQ(partner
                .post("/bookings", edited(booking("u1", 0, 1), {{"/checkInDate", R"("2099-03-01")"},
                                                                {"/checkOutDate", R"("2099-04-01")"}}))
                .status,
            201U);
  server.wait_for_event("booking_created");
  const auto after = read(server);
  EXPECT_EQ(without_stamps(after.body), object(event("20990301", "20990403", "Reserved")));
  const auto id = store_rows(place.store().open(), "select cast(id as text) from bookings", 1).at(0);
  EXPECT_THAT(after.body, HasSubstr("\r\nUID:" + id + "\r\n"));
  EXPECT_EQ(read(server, {{"If-None-Match", before.header("etag")}}).body, after.body);
  EXPECT_EQ(read(server, {{"If-None-Match", after.header("etag")}}).status, 304U);
  for (const auto* word : {"Eva", "Lindqvist", "eva@", "marketplace-a", "Room"})
    EXPECT_THAT(after.body, Not(HasSubstr(word)));
}

TEST_P(CalendarExportOfBookings, IsByteIdenticalWhileNothingChanges) {
  workplace place(GetParam());
  const auto portfolio = blocked_unit();
  place.import(portfolio);
  std::string before;
  {
    running_roost server(place);
    const auto partner = server.partner_of("marketplace-a");
    ASSERT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
    server.wait_for_event("booking_created");
    before = read(server).body;
    EXPECT_THAT(before, HasSubstr("SUMMARY:Reserved"));
    EXPECT_EQ(read(server).body, before);
    EXPECT_EQ(server.stop(), 0);
  }
  const running_roost server(place);
  EXPECT_EQ(read(server).body, before);
  place.import(portfolio); // returns once the server has applied it
  EXPECT_EQ(read(server).body, before);
}

TEST_P(CalendarExport, FollowsTheLandlordsChanges) {
  workplace place(GetParam());
  place.import(blocked_unit());
  const running_roost server(place);
  place.import(edited(blocked_unit(), {{unit_pointer(0) + "/blocks/0/to", R"("2099-01-30")"},
                                       {unit_pointer(0) + "/shortTermIcalMaxDate", "null"}}));
  EXPECT_TRUE(eventually(
      [&] {
        return without_stamps(read(server).body) ==
               object(event("20990101", "20990131", "Not available") + of_host_one + of_host_two);
      },
      1s));
  place.import(edited(blocked_unit(), {{unit_pointer(0) + "/archived", "true"}}));
  EXPECT_TRUE(eventually([&] { return read(server).status == 404; }, 1s));
  place.import(edited(blocked_unit(), {{property_pointer + "/archived", "true"}}));
  EXPECT_TRUE(eventually([&] { return read(server, {}, 2).status == 404; }, 1s));
}

TEST_P(CalendarExport, RequiresTheIdOfTheUnit) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  for (const std::string end : {"", ".ics"}) {
    const auto get = [&](const std::string& id) {
      return send_request(server.port(), "GET", path_of(id) + end);
    };
    EXPECT_EQ(get("u1").status, 400U);
    EXPECT_EQ(get("u1").body, bad_request("Validation failed (uuid is expected)"));
    EXPECT_EQ(get(unit_id(7)).status, 404U);
    EXPECT_EQ(get(unit_id(7)).body,
              not_found("Listing not found for ical-integration with listingId " + unit_id(7)));
    EXPECT_EQ(get(account_id).status, 404U);
    EXPECT_EQ(get(unit_id(1)).status, 200U);
    const auto posted = send_request(server.port(), "POST", path_of(unit_id(1)) + end);
    EXPECT_EQ(posted.body, not_found("Cannot POST " + path_of(unit_id(1)) + end));
    const auto head = send_request(server.port(), "HEAD", path_of(unit_id(1)) + end);
    EXPECT_EQ(head.status, 200U);
    EXPECT_EQ(head.header("content-length"), std::to_string(nothing_blocked.size()));
  }
}

TEST_P(CalendarExport, IsBusyWhileAnotherServerIsTheWriter) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost first(place);
  running_roost second(place, started::listening);
  second.wait_for_event("standing_by");
  const auto response = read(second);
  EXPECT_EQ(response.status, 503U);
  EXPECT_EQ(response.header("retry-after"), "5");
  EXPECT_EQ(response.body, error_body(503, "The service is busy. Please try again in a moment.",
                                      "ServiceUnavailableException"));
}

TEST_P(CalendarExport, KeepsItsAddressOutOfTheLogAndMetrics) {
  workplace place(GetParam());
  place.import(blocked_unit());
  running_roost server(place);
  const auto body = read(server).body;
  EXPECT_EQ(read(server, {}, 7).status, 404U);
  EXPECT_EQ(send_request(server.port(), "POST", path_of(unit_id(1))).status, 404U);
  EXPECT_EQ(send_request(server.port(), "GET", path_of(unit_id(1)) + "/").status, 404U);
  EXPECT_THAT(body, Not(HasSubstr(unit_id(1)))); // readers of the calendar pass events on
  const auto metrics = server.ops("/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("/ical-integration/listings/{listingId}/iCal"));
  EXPECT_EQ(server.stop(), 0);
  for (const auto& text : {server.log(), metrics}) {
    EXPECT_THAT(text, Not(HasSubstr(unit_id(1))));
    EXPECT_THAT(text, Not(HasSubstr(unit_id(7))));
  }
}

TEST_P(CalendarExport, IsReadableByAnIndependentParser) {
  workplace place(GetParam());
  place.import(blocked_unit());
  const running_roost server(place);
  const auto parsed = [&](const std::string& calendar) {
    // Debian's Python, which has the package python3-icalendar.
    child_process reader({.program = "/usr/bin/python3",
                          .arguments = {ROOST_SOURCE_DIR "/tests/service/support/read_ical.py"},
                          .folder = place.folder().path(),
                          .environment = {},
                          .input = calendar});
    EXPECT_EQ(reader.wait_for_end(workplace::command_timeout), 0) << reader.errors();
    return reader.output();
  };
  EXPECT_EQ(parsed(read(server).body), "2099-01-01 2099-02-01 Not available\n"
                                       "2099-02-01 2099-02-08 Not available\n"
                                       "2099-02-10 2099-02-11 Not available\n"
                                       "2100-01-01 2102-01-01 Not available\n");
  EXPECT_EQ(parsed(read(server, {}, 2).body), "");
}

} // namespace roost::testing::calendar_export_test
