#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// POST /<prefix>/bookings: its receipt, and everything that it refuses before queueing.
namespace roost::testing::booking_submission_test {
ROOST_FOR_EACH_STORE(BookingSubmission);
ROOST_FOR_SQLITE(BookingSubmissionOverHttp);

/// A server with one unit that decides nothing during the test.
struct submission_fixture {
  explicit submission_fixture(store_kind kind) : place(kind) {
    place.set("bookings.cycle", "\"1h\"");
    place.import(portfolio_of(1));
    server.emplace(place);
    client.emplace(server->partner_of("channel-manager"));
  }
  raw_response submit(const std::string& body) const { return client->post("/bookings", body); }
  raw_response submit(const std::vector<edit>& edits) const { return submit(booking("u1", 30, 60, edits)); }
  raw_response submit_as(const header_fields& fields, const std::string& body) const {
    header_fields all{{"Authorization", "Bearer " + client->token()}};
    all.insert(all.end(), fields.begin(), fields.end());
    return send_request(server->port(), "POST", "/channel-manager/bookings", all, body);
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<partner> client;
};

/// A change of a body and the resulting error message; empty for an accepted body.
struct body_rule {
  std::vector<edit> edits;
  std::string message;
};

void expect_rules(const submission_fixture& fixture, const std::vector<body_rule>& rules) {
  for (const auto& [edits, message] : rules) {
    const auto response = fixture.submit(edits);
    const auto description = edits.front().pointer + " = " + edits.front().json.substr(0, 100);
    EXPECT_EQ(response.status, message.empty() ? 201U : 400U) << description << "\n" << response.body;
    if (!message.empty()) {
      EXPECT_EQ(response.body, bad_request(message)) << description;
    }
  }
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }

TEST_P(BookingSubmission, IsAcknowledgedWithAReceipt) {
  const submission_fixture fixture(GetParam());
  const auto response = fixture.submit(booking("u1", 30, 60));
  EXPECT_EQ(response.status, 201U);
  EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
  EXPECT_EQ(without_times_and_ids(response.body),
            R"({"identifiers":[{"id":"<id>"}],"generatedMaps":[{"id":"<id>","createdAt":"<time>"}],)"
            R"("raw":[{"id":"<id>","createdAt":"<time>"}]})");
  const auto id = json_at(response.body, "/identifiers/0/id");
  EXPECT_EQ(json_at(response.body, "/generatedMaps/0/id"), id);
  EXPECT_EQ(json_at(response.body, "/raw/0/id"), id);
  EXPECT_NE(json_at(fixture.submit(booking("u1", 30, 60)).body, "/identifiers/0/id"), id); // a new request
}

TEST_P(BookingSubmissionOverHttp, IsAcceptedUnderEveryPrefix) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  for (const auto* platform : {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d",
                               "booking-engine", "channel-manager", "room-sharing", "student-housing"})
    EXPECT_EQ(server.partner_of(platform).post("/bookings", booking("anything", 30, 60)).status, 201U)
        << platform;
}

TEST_P(BookingSubmissionOverHttp, ValidatesEveryField) {
  const submission_fixture fixture(GetParam());
  const std::string date_in = "checkInDate must be a valid ISO 8601 date string",
                    date_out = "checkOutDate must be a valid ISO 8601 date string",
                    external_id = "externalId must be a string", booking_id = "bookingId must be a UUID",
                    tenant = "tenant must be a non-empty object",
                    number = " must be a number conforming to the specified constraints",
                    too_small = " must not be less than 0", occupants = "numberOfExtraTenants";
  expect_rules(fixture,
               {
                   {{{"/checkInDate", ""}}, date_in},
                   {{{"/checkInDate", "null"}}, date_in},
                   {{{"/checkInDate", "20270101"}}, date_in},
                   {{{"/checkInDate", R"("")"}}, date_in},
                   {{{"/checkInDate", R"("2027-1-1")"}}, date_in},
                   {{{"/checkInDate", R"("2027-02-29")"}}, date_in},
                   {{{"/checkInDate", R"("2027-01-01T00:00:00Z")"}}, date_in},
                   {{{"/checkInDate", R"(" 2027-01-01")"}}, date_in},
                   {{{"/checkInDate", R"("tomorrow")"}}, date_in},
                   {{{"/checkOutDate", R"("2027-13-01")"}}, date_out},
                   {{{"/checkOutDate", "[]"}}, date_out},
                   {{{"/externalId", ""}}, external_id},
                   {{{"/externalId", "null"}}, external_id},
                   {{{"/externalId", "7"}}, external_id},
                   {{{"/externalId", R"("")"}}, external_id},
                   {{{"/bookingId", R"("")"}}, booking_id},
                   {{{"/bookingId", R"("7b0a4d4e")"}}, booking_id},
                   {{{"/bookingId", "7"}}, booking_id},
                   {{{"/bookingId", R"("7b0a4d4e-8f0c-4f6b-ca51-0d6e6b1c2f3a")"}}, booking_id},
                   {{{"/" + occupants, "-1"}}, occupants + too_small},
                   {{{"/" + occupants, R"("2")"}}, occupants + too_small + ", " + occupants + number},
                   {{{"/" + occupants, "true"}}, occupants + too_small + ", " + occupants + number},
                   {{{"/platformProviderPaymentValue", "-0.01"}}, "platformProviderPaymentValue" + too_small},
                   {{{"/otaCommissionValue", "-5"}}, "otaCommissionValue" + too_small},
                   {{{"/tenant", ""}}, tenant},
                   {{{"/tenant", "null"}}, tenant},
                   {{{"/tenant", "{}"}}, tenant},
                   {{{"/tenant", "[]"}}, tenant},
                   {{{"/tenant", R"("Eva")"}}, tenant},
               });
}

TEST_P(BookingSubmission, ValidatesTheLimitsOfTheColumns) {
  const submission_fixture fixture(GetParam());
  const std::string missing = "A required value is missing.", too_long = "A value is too long for its field.",
                    out_of_range = "A numeric value is out of range.",
                    format = "A value has an invalid format.";
  expect_rules(fixture, {
                            {{{"/tenant/firstName", ""}}, missing},
                            {{{"/tenant/firstName", "null"}}, missing},
                            {{{"/tenant/firstName", R"("")"}}, missing},
                            {{{"/tenant/email", ""}}, missing},
                            {{{"/externalId", quoted(std::string(257, 'x'))}}, too_long},
                            {{{"/tenant/firstName", quoted(std::string(129, 'x'))}}, too_long},
                            {{{"/tenant/lastName", quoted(std::string(129, 'x'))}}, too_long},
                            {{{"/tenant/email", quoted(std::string(129, 'x'))}}, too_long},
                            {{{"/tenant/fiscalId", quoted(std::string(129, 'x'))}}, too_long},
                            {{{"/tenant/phone", quoted(std::string(65, '1'))}}, too_long},
                            {{{"/tenant/nationality", R"("PRT")"}}, too_long},
                            {{{"/platformProviderPaymentValue", "100000000"}}, out_of_range},
                            {{{"/platformProviderPaymentValue", "99999999.995"}}, out_of_range},
                            {{{"/platformProviderPaymentValue", "1e308"}}, out_of_range},
                            {{{"/otaCommissionValue", "100000000"}}, out_of_range},
                            {{{"/numberOfExtraTenants", "3000000000"}}, out_of_range},
                            {{{"/numberOfExtraTenants", "1.5"}}, format},
                            {{{"/tenant/firstName", "7"}}, format},
                            {{{"/tenant/phone", "{}"}}, format},
                            {{{"/tenant/nationality", R"("P1")"}}, format},
                            {{{"/tenant/lastName", R"("a\u0000b")"}}, format},
                            {{{"/externalId", R"("a\u0000b")"}}, format},
                        });
}

TEST_P(BookingSubmission, AcceptsWhatTheRulesAllow) {
  const submission_fixture fixture(GetParam());
  expect_rules(fixture, {
                            {{{"/externalId", quoted(std::string(256, 'x'))}}, ""},
                            {{{"/externalId", R"(" ")"}}, ""},
                            {{{"/bookingId", R"("7B0A4D4E-8F0C-4F6B-9A51-0D6E6B1C2F3A")"}}, ""},
                            {{{"/bookingId", "null"}}, ""},
                            {{{"/numberOfExtraTenants", "0"}}, ""},
                            {{{"/numberOfExtraTenants", "2.0"}}, ""},
                            {{{"/platformProviderPaymentValue", ""}}, ""},
                            {{{"/platformProviderPaymentValue", "0"}}, ""},
                            {{{"/platformProviderPaymentValue", "-0"}}, ""},
                            {{{"/platformProviderPaymentValue", "99999999.994"}}, ""},
                            {{{"/otaCommissionValue", "12.3456789"}}, ""},
                            {{{"/tenant/lastName", "null"}}, ""},
                            {{{"/tenant/email", R"("not an address")"}}, ""},
                            {{{"/tenant/firstName", quoted(std::string(128, 'x'))}}, ""},
                            // the limit counts characters, not bytes
                            {{{"/tenant/lastName", quoted([] {
                                 std::string text;
                                 for (int i = 0; i < 128; ++i) text += "ñ";
                                 return text;
                               }())}},
                             ""},
                            {{{"/tenant/phone", quoted(std::string(64, '1'))}}, ""},
                            {{{"/tenant/nationality", R"("pt")"}}, ""},
                            {{{"/tenant/passport", R"({"any":["thing"]})"}}, ""},
                            {{{"/checkOutDate", quoted(day_from_now(1))}}, ""}, // not checked at submission
                            {{{"/checkInDate", R"("2001-01-01")"}}, ""},
                        });
}

TEST_P(BookingSubmissionOverHttp, ReportsAllProblemsOfABodyInOneMessage) {
  const submission_fixture fixture(GetParam());
  EXPECT_EQ(
      fixture.submit("{}").body,
      bad_request(
          "checkInDate must be a valid ISO 8601 date string, checkOutDate must be a valid ISO 8601 date "
          "string, externalId must be a string, tenant must be a non-empty object"));
  EXPECT_EQ(
      fixture.submit({{"/rent", "650"}, {"/secondTenant", "{}"}, {"/bookingId", "7"}, {"/tenant", ""}}).body,
      bad_request("property rent should not exist, property secondTenant should not exist, "
                  "bookingId must be a UUID, tenant must be a non-empty object"));
  // Column limits are reported only if everything else is valid, and one text stands for all of them.
  EXPECT_EQ(fixture.submit({{"/tenant/firstName", ""}, {"/tenant/phone", quoted(std::string(65, '1'))}}).body,
            bad_request("A value is too long for its field."));
}

TEST_P(BookingSubmissionOverHttp, RefusesBodiesThatAreNotObjects) {
  const submission_fixture fixture(GetParam());
  for (const std::string body : {"[]", "[{}]", "null", "true", "7", R"("text")"}) {
    const auto response = fixture.submit(body);
    EXPECT_EQ(response.status, 400U) << body;
    EXPECT_EQ(response.body, bad_request("Request body must be a JSON object")) << body;
  }
  EXPECT_EQ(fixture.submit("").body,
            bad_request("Body cannot be empty when content-type is set to 'application/json'"));
}

TEST_P(BookingSubmissionOverHttp, RefusesMalformedJsonWithTheProblemAndItsPosition) {
  const submission_fixture fixture(GetParam());
  const std::string start =
      R"({"statusCode":400,"message":"Body is not valid JSON but content-type is set to )"
      R"('application/json': )";
  for (const std::string body : {" ",
                                 "{",
                                 "}",
                                 R"({"a")",
                                 R"({"a":)",
                                 R"({"a":})",
                                 R"({"a":1,})",
                                 "{a:1}",
                                 "{'a':1}",
                                 "[1,]",
                                 "nul",
                                 "tru",
                                 "NaN",
                                 R"("abc)",
                                 "\"a\nb\"",
                                 R"("\u12")",
                                 R"("\x")",
                                 R"("\ud800")",
                                 "01",
                                 "+1",
                                 "1.",
                                 ".5",
                                 "1e",
                                 "{} {}",
                                 "{}x",
                                 "{}\xef\xbb\xbf",
                                 "{\"a\":\"\xff\"}",
                                 "{\"a\":\"\xc0\xaf\"}",
                                 "{\"a\":\"\xed\xa0\x80\"}",
                                 "/* */{}",
                                 "checkInDate=2027-01-01"}) {
    const auto response = fixture.submit(body);
    EXPECT_EQ(response.status, 400U) << body;
    EXPECT_EQ(response.body.substr(0, start.size()), start) << body;
    EXPECT_NE(response.body.find(", at line "), std::string::npos) << response.body;
  }
  EXPECT_EQ(json_at(fixture.submit("{\n  \"a\": 1,\n  b\n}").body, "/message"),
            R"("Body is not valid JSON but content-type is set to 'application/json': )"
            R"(Missing a name for object member, at line 3, column 3")");
}

TEST_P(BookingSubmissionOverHttp, SurvivesHostileBodies) {
  const submission_fixture fixture(GetParam());
  const auto deep = [](std::size_t levels, const std::string& open, const std::string& close) {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += open;
    for (std::size_t i = 0; i < levels; ++i) text += close;
    return text;
  };
  std::string many_keys = "{";
  for (int i = 0; i < 90'000; ++i) many_keys += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  for (const auto& body : {deep(500'000, "[", "]"), deep(100'000, R"({"a":)", "}"), many_keys + "}",
                           "{\"tenant\":" + deep(10'000, "[", "]") + "}", "[" + std::string(1'000'000, ' '),
                           "\"" + std::string(1'000'000, 'x') + "\"", std::string(1'000'000, '\0')})
    EXPECT_EQ(fixture.submit(body).status, 400U) << body.substr(0, 20);
  EXPECT_EQ(fixture.submit(booking("u1", 30, 60)).status, 201U);
}

TEST_P(BookingSubmissionOverHttp, UsesTheLastOfRepeatedKeys) {
  const submission_fixture fixture(GetParam());
  auto body = booking("u1", 30, 60);
  body.insert(1, R"("externalId":7,)");
  EXPECT_EQ(fixture.submit(body).status, 201U);
  body = booking("u1", 30, 60);
  body.insert(body.size() - 1, R"(,"externalId":7)");
  EXPECT_EQ(fixture.submit(body).body, bad_request("externalId must be a string"));
}

TEST_P(BookingSubmissionOverHttp, RequiresAJsonContentType) {
  const submission_fixture fixture(GetParam());
  const auto body = booking("u1", 30, 60);
  for (const auto* type : {"application/json", "APPLICATION/JSON", "application/json; charset=utf-8",
                           "application/json;charset=UTF-8", " application/json "})
    EXPECT_EQ(fixture.submit_as({{"Content-Type", type}}, body).status, 201U) << type;
  const auto unreadable = error_body(415, "Unsupported Media Type", "UnsupportedMediaTypeException");
  for (const auto* type :
       {"", "text/plain", "text/json", "application/xml", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x", "application/octet-stream", "application/jsonx",
        "application/vnd.api+json", "application/json,text/plain", "json", "*/*"}) {
    const auto response = fixture.submit_as({{"Content-Type", type}}, body);
    EXPECT_EQ(response.status, 415U) << type;
    EXPECT_EQ(response.body, unreadable) << type;
  }
  EXPECT_EQ(fixture.submit_as({}, body).body, unreadable);
  EXPECT_EQ(
      fixture.submit_as({{"Content-Type", "application/json"}, {"Content-Encoding", "gzip"}}, body).body,
      unreadable);
}

TEST_P(BookingSubmissionOverHttp, LimitsTheBodyToAMegabyte) {
  const submission_fixture fixture(GetParam());
  const auto small = booking("u1", 30, 60);
  EXPECT_EQ(fixture.submit(small + std::string((1 << 20) - small.size(), ' ')).status, 201U);
  const auto response = fixture.submit(small + std::string((1 << 20) - small.size() + 1, ' '));
  EXPECT_EQ(response.status, 413U);
  EXPECT_EQ(response.body, error_body(413, "Payload Too Large", "PayloadTooLargeException"));
}

TEST_P(BookingSubmissionOverHttp, AcceptsAChunkedBody) {
  const submission_fixture fixture(GetParam());
  const auto body = booking("u1", 30, 60);
  char size[20];
  std::snprintf(size, sizeof size, "%zx", body.size() - 10);
  const auto response =
      raw_client(fixture.server->port())
          .exchange("POST /channel-manager/bookings HTTP/1.1\r\nHost: roost.test\r\nAuthorization: Bearer " +
                    fixture.client->token() +
                    "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\na\r\n" +
                    body.substr(0, 10) + "\r\n" + size + "\r\n" + body.substr(10) + "\r\n0\r\n\r\n");
  EXPECT_EQ(response.status, 201U) << response.body;
}

} // namespace roost::testing::booking_submission_test
