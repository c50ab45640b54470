#include "service/support/office.hpp"
#include "service/support/openapi.hpp"
#include "support/web_site.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Calendars of other platforms that a landlord imports: /api/units/{unitId}/calendars.
namespace roost::testing::imported_calendars_test {
using ::testing::HasSubstr;
using ::testing::Not;

class ImportedCalendars : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(ImportedCalendars);
ROOST_FOR_SQLITE(ImportedCalendarsOverHttp);

const std::string calendars_pattern = "/api/units/{unitId}/calendars";
const std::string unit_path = "/api/units/" + unit_id(1), calendars = unit_path + "/calendars";

std::string compact(int days) {
  auto text = day_from_now(days);
  std::erase(text, '-');
  return text;
}

std::string event(int first, int free) {
  return "BEGIN:VEVENT\r\nUID:" + std::to_string(first) + "\r\nDTSTART;VALUE=DATE:" + compact(first) +
         "\r\nDTEND;VALUE=DATE:" + compact(free) + "\r\nSUMMARY:\r\nEND:VEVENT\r\n";
}

std::string calendar_of(const std::string& events) {
  return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Host//EN\r\n" + events + "END:VCALENDAR\r\n";
}

/// A host that publishes a calendar.
class calendar_host {
public:
  void publish(const std::string& events) {
    site_.publish(http_response(calendar_of(events), "200 OK", "Content-Type: text/calendar\r\n"));
  }
  void fail() { site_.publish(http_response("", "500 Internal Server Error")); }

  std::string address() const { return site_.url("/calendar.ics?key=secret"); }
  std::map<std::string, std::string> settings() const {
    return {{"calendars.ca_file", '"' + site_.certificate_file() + '"'},
            {"calendars.allow_private", "\"on\""}};
  }

private:
  web_site site_;
};

std::string new_calendar(const calendar_host& host) {
  return R"({"name":"Host one","url":")" + host.address() + R"(","host":"host-one","every":"1h"})";
}

header_fields if_match(const raw_response& seen) { return {{"If-Match", seen.headers.find("etag")->second}}; }

TEST_P(ImportedCalendars, BlockTheirNightsEverywhereExceptAtTheHostTheyCameFrom) {
  calendar_host host;
  host.publish(event(30, 40));
  office_fixture office(GetParam(), host.settings());
  const auto created = office.send("POST", calendars, new_calendar(host));
  ASSERT_EQ(created.status, 201U) << created.body;
  const auto path = calendars + "/" + string_at(created, "/id");
  EXPECT_THAT(created.headers.find("location")->second, ::testing::EndsWith(path));
  ASSERT_TRUE(eventually([&] { return json_at(office.send("GET", path).body, "/events") == "1"; }));

  const auto blocks = office.send("GET", unit_path + "/blocks");
  EXPECT_EQ(string_at(blocks, "/items/0/from"), day_from_now(30));
  EXPECT_EQ(string_at(blocks, "/items/0/to"), day_from_now(39));
  EXPECT_EQ(string_at(blocks, "/items/0/calendarId"), string_at(created, "/id"));
  EXPECT_THAT(office.partner_of("marketplace-a").get("/listings/u1").body, HasSubstr(day_from_now(39)));
  const auto exported = [&](const header_fields& fields) {
    const auto ical = "/ical-integration/listings/" + unit_id(1) + "/iCal";
    return send_request(office.server->port(), "GET", ical, fields).body;
  };
  EXPECT_THAT(exported({}), HasSubstr(compact(30)));
  EXPECT_THAT(exported({{"Origin", "https://host-one.example"}}), Not(HasSubstr(compact(30))));

  // Other nights, at once when the office asks for them.
  host.publish(event(50, 52));
  const auto fetched = office.send("POST", path + "/fetch", "{}");
  ASSERT_EQ(fetched.status, 200U) << fetched.body;
  EXPECT_THAT(exported({}), HasSubstr(compact(50)));
  EXPECT_THAT(exported({}), Not(HasSubstr(compact(30))));
  EXPECT_EQ(office.send("DELETE", path, "", if_match(fetched)).status, 204U);
  EXPECT_THAT(exported({}), Not(HasSubstr(compact(50))));
  EXPECT_EQ(office.send("GET", path).status, 404U);
}

TEST_P(ImportedCalendars, NeverSellANightThatTheyHave) {
  calendar_host host;
  host.publish(event(30, 40));
  auto settings = host.settings();
  settings.emplace("bookings.cycle", "\"1s\"");
  office_fixture office(GetParam(), settings);
  const auto created = office.send("POST", calendars, new_calendar(host));
  const auto fetch = calendars + "/" + string_at(created, "/id") + "/fetch";
  EXPECT_TRUE(eventually([&] { return office.send("POST", fetch, "{}").status == 200U; }));
  const auto partner = office.partner_of("marketplace-a");
  ASSERT_EQ(partner.post("/bookings", booking("u1", 39, 60)).status, 201U);
  ASSERT_EQ(partner.post("/bookings", booking("u1", 40, 60)).status, 201U);
  EXPECT_TRUE(eventually([&] {
    return office.decisions() == std::vector<std::string>{"Failed", "Success"};
  }));

  // An event over the booking is a conflict: it cancels nothing, and blocks the other nights.
  host.publish(event(30, 45));
  ASSERT_EQ(office.send("POST", fetch, "{}").status, 200U);
  const auto shown = office.send("GET", "/api/calendar?from=" + day_from_now(0) + "&to=" + day_from_now(90));
  EXPECT_EQ(string_at(shown, "/items/0/blocks/0/to"), day_from_now(39)) << shown.body;
  EXPECT_EQ(string_at(shown, "/items/0/events/0/to"), day_from_now(44));
  EXPECT_EQ(string_at(shown, "/items/0/conflicts/0/from"), day_from_now(40));
  EXPECT_EQ(string_at(shown, "/items/0/conflicts/0/to"), day_from_now(44));
  EXPECT_EQ(store_rows(office.place.store().open(),
                       "select kind from notifications where kind = 'calendar_conflict'", 1),
            std::vector<std::string>{"calendar_conflict"});
}

TEST_P(ImportedCalendars, BlockTheNightsOfACancelledBooking) {
  calendar_host host;
  auto settings = host.settings();
  settings.emplace("bookings.cycle", "\"1s\"");
  office_fixture office(GetParam(), settings);
  const auto partner = office.partner_of("marketplace-a");
  const auto send = [&](const char* event) {
    return partner.post("/webhook", std::string(R"({"event":")") + event +
                                        R"(","offer_api_reference":"u1","booking_id":7,"move_in_date":")" +
                                        day_from_now(30) + R"(","move_out_date":")" + day_from_now(40) +
                                        R"(","contract_price_amount":68300})");
  };
  ASSERT_EQ(send("booking-paid").status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  host.publish(event(20, 60));
  const auto created = office.send("POST", calendars, new_calendar(host));
  const auto fetch = calendars + "/" + string_at(created, "/id") + "/fetch";
  ASSERT_EQ(office.send("POST", fetch, "{}").status, 200U);
  ASSERT_EQ(json_at(office.send("GET", unit_path + "/blocks").body, "/total"), "2");

  ASSERT_EQ(send("booking-cancelled").status, 201U);
  EXPECT_EQ(json_at(office.send("GET", unit_path + "/blocks").body, "/total"), "1");
  EXPECT_TRUE(eventually([&] { // reads follow the store
    const auto shown = partner.get("/listings/u1").body;
    return shown.find("\"from\":\"" + day_from_now(20) + "\",\"to\":\"" + day_from_now(59) + "\"") !=
           std::string::npos;
  }));
  ASSERT_EQ(partner.post("/bookings", booking("u1", 31, 35)).status, 201U);
  EXPECT_TRUE(eventually([&] {
    return office.decisions() == std::vector<std::string>{"Failed", "Success"};
  }));
}

TEST_P(ImportedCalendarsOverHttp, FreeNothingUntilTheOfficeAcceptsAnEmptyOne) {
  calendar_host host;
  host.publish(event(30, 40));
  office_fixture office(GetParam(), host.settings());
  const auto created = office.send("POST", calendars, new_calendar(host));
  const auto path = calendars + "/" + string_at(created, "/id");
  ASSERT_TRUE(eventually([&] { return office.send("POST", path + "/fetch", "{}").status == 200U; }));
  host.fail();
  const auto failed = office.send("POST", path + "/fetch", "{}");
  EXPECT_EQ(json_at(failed.body, "/failures"), "1") << failed.body;
  EXPECT_THAT(string_at(failed, "/problem"), Not(HasSubstr("secret")));
  host.publish("");
  const auto vanished = office.send("POST", path + "/fetch", "{}");
  EXPECT_EQ(json_at(vanished.body, "/hasVanished"), "true") << vanished.body;
  EXPECT_EQ(json_at(office.send("GET", unit_path + "/blocks").body, "/total"), "1");
  const auto accepted = office.send("POST", path + "/fetch", R"({"acceptEmpty":true})");
  EXPECT_EQ(json_at(accepted.body, "/hasVanished"), "false") << accepted.body;
  EXPECT_EQ(string_at(office.send("GET", "/api/audit"), "/items/0/action"), "empty calendar acceptance");
  EXPECT_EQ(json_at(office.send("GET", unit_path + "/blocks").body, "/total"), "0");
}

/// Returns the JSON form of an uploaded calendar.
std::string upload(const std::string& text) {
  std::string body = R"({"ics":")";
  for (const char c : text) body.append(c == '\r' ? "\\r" : c == '\n' ? "\\n" : std::string(1, c));
  return body + "\"}";
}

TEST_P(ImportedCalendars, CanBeUploaded) {
  office_fixture office(GetParam());
  const auto body = edited(upload(calendar_of(event(30, 40))), {{"/name", R"("Paper")"}});
  const auto created = office.send("POST", calendars, body);
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(json_at(created.body, "/events"), "1") << "it was read before the response";
  EXPECT_THAT(created.body, Not(HasSubstr("VCALENDAR")));
  EXPECT_EQ(string_at(office.send("GET", unit_path + "/blocks"), "/items/0/to"), day_from_now(39));
  const auto path = calendars + "/" + string_at(created, "/id");
  const auto changed = office.send("PATCH", path, upload(calendar_of(event(50, 60))), if_match(created));
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(string_at(office.send("GET", unit_path + "/blocks"), "/items/0/to"), day_from_now(59));
  const auto broken = office.send("PATCH", path, upload("BEGIN:VCALENDAR\r\n"), if_match(changed));
  EXPECT_EQ(broken.status, 400U) << broken.body;
  EXPECT_EQ(string_at(broken, "/message"),
            "ics is not a calendar: The calendar is incomplete: END:VCALENDAR is missing");
}

/// Uploads the file of a calendar.
raw_response send_file(office_fixture& office, const char* method, const std::string& path,
                       const std::string& text, header_fields fields = {},
                       const char* type = "text/calendar; charset=utf-8") {
  fields.emplace_back("Authorization", "Bearer " + office.token);
  fields.emplace_back("Content-Type", type);
  return send_request(office.server->port(), method, path, fields, text);
}

TEST_P(ImportedCalendars, CanBeUploadedAsAFile) {
  calendar_host host;
  office_fixture office(GetParam(), host.settings());
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001",
                    place = calendars + "?name=Ana%27s+paper&host=host-one&id=" + id;
  const auto file = calendar_of(event(30, 40));
  const auto created = send_file(office, "POST", place, file);
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(string_at(created, "/id"), id);
  EXPECT_EQ(string_at(created, "/name"), "Ana's paper");
  EXPECT_EQ(string_at(created, "/host"), "host-one");
  EXPECT_EQ(json_at(created.body, "/events"), "1") << "it was read before the response";
  EXPECT_EQ(send_file(office, "POST", place, file).status, 200U) << "the same request";
  EXPECT_EQ(send_file(office, "POST", place, calendar_of(event(30, 41))).status, 409U);

  const auto path = calendars + "/" + id;
  EXPECT_EQ(send_file(office, "PATCH", path, file).status, 428U);
  const auto changed =
      send_file(office, "PATCH", path + "?name=Paper", calendar_of(event(50, 60)), if_match(created));
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(string_at(changed, "/name"), "Paper");
  EXPECT_EQ(string_at(changed, "/host"), "host-one");
  EXPECT_EQ(string_at(office.send("GET", unit_path + "/blocks"), "/items/0/to"), day_from_now(59));
  const auto broken = send_file(office, "PATCH", path, "BEGIN:VCALENDAR\r\n", if_match(changed));
  EXPECT_EQ(broken.status, 400U) << broken.body;
  EXPECT_EQ(string_at(broken, "/message"),
            "ics is not a calendar: The calendar is incomplete: END:VCALENDAR is missing");
}

/// Returns a calendar with an event and comments that fill it up to this size.
std::string calendar_of_size(std::size_t size) {
  const std::string line = "COMMENT:" + std::string(60, 'x') + "\r\n";
  const auto whole = calendar_of(event(30, 40));
  std::string comments;
  while (whole.size() + comments.size() + line.size() < size) comments += line;
  auto text = calendar_of(comments + event(30, 40));
  return text.insert(text.find("COMMENT:") + 8, size - text.size(), 'y');
}

TEST_P(ImportedCalendars, HaveUpTo4MiB) {
  constexpr std::size_t large = 3 << 20, largest = 4 << 20;
  office_fixture office(GetParam());
  const auto is_refused = [](const raw_response& response) {
    EXPECT_EQ(response.status, 413U) << response.body;
    EXPECT_EQ(string_at(response, "/message"), "Payload Too Large");
    EXPECT_EQ(string_at(response, "/error"), "PayloadTooLargeException");
  };
  const auto created = send_file(office, "POST", calendars + "?name=Large", calendar_of_size(large));
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(json_at(created.body, "/events"), "1");
  const auto path = calendars + "/" + string_at(created, "/id");
  const header_fields any{{"If-Match", "*"}};
  const auto changed = office.send("PATCH", path, upload(calendar_of_size(large)), any);
  EXPECT_EQ(changed.status, 200U) << changed.body;
  const auto at_limit = send_file(office, "PATCH", path, calendar_of_size(largest), any);
  EXPECT_EQ(at_limit.status, 200U) << at_limit.body;

  const auto above = calendar_of_size(largest + 1);
  is_refused(send_file(office, "PATCH", path, above, any));
  is_refused(office.send("PATCH", path, upload(above), any));
  is_refused(send_file(office, "POST", calendars + "?name=Larger", above));
  const auto far_above = calendar_of_size(largest + (2 << 20));
  is_refused(send_file(office, "PATCH", path, far_above, any));
  is_refused(office.send("POST", calendars, edited(upload(far_above), {{"/name", R"("Larger")"}})));
  const auto above_other_routes = R"({"name":")" + std::string(1 << 20, 'x') + "\"}";
  is_refused(office.send("POST", path + "/fetch", above_other_routes));
  is_refused(office.send("PATCH", unit_path, above_other_routes, any));
  EXPECT_EQ(json_at(office.send("GET", calendars).body, "/total"), "1");
}

TEST_P(ImportedCalendarsOverHttp, MayBeFilesOfAnyCharsetThatExtendsAscii) {
  office_fixture office(GetParam());
  const auto named = [](const std::string& name) {
    return calendar_of("X-WR-CALNAME:" + name + "\r\n" + event(30, 40));
  };
  for (const auto& text : {named("M\xc3\xbcnchen"), named("M\xfcnchen"), "\xef\xbb\xbf" + named("Paper")}) {
    const auto created = send_file(office, "POST", calendars + "?name=Paper", text, {}, "Text/Calendar");
    ASSERT_EQ(created.status, 201U) << created.body;
    EXPECT_EQ(json_at(created.body, "/events"), "1");
  }
  // Two events whose UIDs differ in a character of Latin-1 only.
  const auto of_guest = [](const std::string& uid, int first) {
    return std::string(::roost::testing::with_replaced(event(first, first + 2),
                                                       "UID:" + std::to_string(first), "UID:" + uid));
  };
  const auto both = calendar_of(of_guest("\xfc", 50) + of_guest("\xf6", 60));
  EXPECT_EQ(json_at(send_file(office, "POST", calendars + "?name=Both", both).body, "/events"), "2");
  const auto wide = send_file(office, "POST", calendars + "?name=Wide", std::string("B\0E\0", 4));
  EXPECT_EQ(wide.status, 400U);
  EXPECT_EQ(string_at(wide, "/message"), "ics must not hold control characters");
}

TEST_P(ImportedCalendarsOverHttp, RefuseFilesOfOtherTypes) {
  office_fixture office(GetParam());
  const auto file = calendar_of(event(30, 40));
  const auto refusal = [](const raw_response& response) {
    EXPECT_EQ(string_at(response, "/message"), "Unsupported Media Type");
    return response.status;
  };
  for (const auto* type : {"text/plain", "text/csv", "text/calendars", "multipart/form-data"})
    EXPECT_EQ(refusal(send_file(office, "POST", calendars + "?name=A", file, {}, type)), 415U) << type;
  for (const auto& path : {calendars + "/" + unit_id(1) + "/fetch", unit_path + "/blocks"})
    EXPECT_EQ(refusal(send_file(office, "POST", path, file)), 415U) << path;
}

TEST_P(ImportedCalendarsOverHttp, AreDocumentedAsFiles) {
  const office_fixture office(GetParam());
  const openapi document(send_request(office.server->port(), "GET", "/office-json").body);
  const std::string one = calendars_pattern + "/{calendarId}";
  for (const auto& [method, path] : {std::pair{"post", calendars_pattern}, std::pair{"patch", one}}) {
    const std::vector<std::string> operation{"paths", path, method};
    const auto at = [&](std::vector<std::string> steps) {
      steps.insert(steps.begin(), operation.begin(), operation.end());
      return document.at(steps);
    };
    EXPECT_TRUE(at({"requestBody", "content", "text/calendar", "schema", "type"})) << method;
    EXPECT_TRUE(at({"requestBody", "content", "application/json", "schema", "$ref"})) << method;
    EXPECT_TRUE(at({"responses", "413"})) << method;
  }
}

TEST_P(ImportedCalendarsOverHttp, HaveTheSameRulesAsFiles) {
  office_fixture office(GetParam());
  const auto refusal = [&](const std::string& query, const std::string& file) {
    const auto refused = send_file(office, "POST", calendars + query, file);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  const auto file = calendar_of(event(30, 40));
  EXPECT_EQ(refusal("", file), "name is required");
  EXPECT_THAT(refusal("?name=A&host=nobody", file), HasSubstr("host is not a configured short-term host"));
  EXPECT_EQ(refusal("?name=A&id=1", file), "id must be a UUID");
  EXPECT_EQ(refusal("?name=A&url=https://host.example", file), "property url should not exist");
  EXPECT_EQ(refusal("?name=A&name=B", file), "name must be given once");
  EXPECT_THAT(refusal("?name=A", ""), HasSubstr("ics is not a calendar"));
  const auto fetched =
      office.send("POST", calendars, R"({"name":"A","url":"https://host.example/","every":"7d"})");
  ASSERT_EQ(fetched.status, 201U) << fetched.body;
  const auto both =
      send_file(office, "PATCH", calendars + "/" + string_at(fetched, "/id"), file, {{"If-Match", "*"}});
  EXPECT_EQ(both.status, 400U);
  EXPECT_EQ(string_at(both, "/message"), "url and ics must not both be given");
  const auto instead = office.send("PATCH", calendars + "/" + string_at(fetched, "/id"),
                                   edited(upload(file), {{"/url", "null"}}), {{"If-Match", "*"}});
  EXPECT_EQ(instead.status, 200U) << instead.body;
  EXPECT_EQ(json_at(instead.body, "/url"), "null");
}

TEST_P(ImportedCalendarsOverHttp, KeepTheirUrlOutOfHistories) {
  calendar_host host;
  host.publish("");
  office_fixture office(GetParam(), host.settings());
  ASSERT_EQ(office.send("POST", calendars, new_calendar(host)).status, 201U);
  EXPECT_THAT(office.send("GET", calendars).body, HasSubstr("key=secret"));
  EXPECT_THAT(office.send("GET", unit_path + "/changes").body, Not(HasSubstr("key=secret")));
  EXPECT_THAT(office.send("GET", "/api/audit").body, Not(HasSubstr("key=secret")));
}

TEST_P(ImportedCalendarsOverHttp, AreListedAsCsvWithTheirTags) {
  office_fixture office(GetParam());
  const auto created =
      office.send("POST", calendars, R"({"name":"Paper","ics":"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"})");
  ASSERT_EQ(created.status, 201U) << created.body;
  const auto listed = office.send("GET", calendars, "", {{"Accept", "text/csv"}});
  ASSERT_EQ(listed.status, 200U);
  EXPECT_THAT(listed.body.substr(0, listed.body.find("\r\n")), ::testing::EndsWith(",etag"));
  const auto tag = created.headers.find("etag")->second;
  EXPECT_THAT(listed.body, HasSubstr(::roost::testing::with_replaced(tag, "\"", "\"\"")));
}

TEST_P(ImportedCalendarsOverHttp, ExplainWhatIsWrong) {
  office_fixture office(GetParam());
  const auto refusal = [&](const std::string& body) {
    const auto refused = office.send("POST", calendars, body);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_EQ(refusal(R"({"name":"A"})"), "url or ics is required");
  EXPECT_EQ(refusal(R"({"name":"A","url":"http://host.example/"})"), "url must be an https URL");
  EXPECT_EQ(refusal(R"({"name":"A","url":"https://host.example/","every":"30s"})"),
            "every must be a time of 1m to 7d, like 5m, 1h or 1d");
  EXPECT_THAT(refusal(R"({"name":"A","url":"https://host.example/","host":"nobody"})"), HasSubstr("host"));
  EXPECT_THAT(refusal(R"({"name":"A","ics":"x"})"), HasSubstr("ics is not a calendar"));
  const auto nowhere = office.send("POST", "/api/units/" + unit_id(99) + "/calendars",
                                   R"({"name":"A","url":"https://host.example/"})");
  EXPECT_EQ(nowhere.status, 404U);
  EXPECT_EQ(string_at(nowhere, "/message"), "There is no such unit");
}

} // namespace roost::testing::imported_calendars_test
