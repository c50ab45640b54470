#include "service/office_support/event_source.hpp"
#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The event stream of the office, as a browser receives it.
namespace roost::testing::office_event_stream_test {
using ::testing::HasSubstr;

constexpr const char* february = R"({"from":"2027-02-01","to":"2027-02-10"})";
const std::string blocks_path = "/api/units/" + unit_id(1) + "/blocks";

struct event_fixture : office_fixture {
  using office_fixture::office_fixture;

  event_source open(header_fields fields = {}) {
    fields.emplace_back("Authorization", "Bearer " + token);
    return event_source(server->port(), fields);
  }
};

class OfficeEventStream : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeEventStream);
ROOST_FOR_SQLITE(OfficeEventStreamOverHttp);

TEST_P(OfficeEventStream, ReportsWhatOthersChange) {
  event_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  auto events = office.open();
  EXPECT_THAT(events.head, HasSubstr("Content-Type: text/event-stream\r\n"));
  EXPECT_THAT(events.head, HasSubstr("Cache-Control: no-store\r\n"));
  EXPECT_THAT(events.opening, HasSubstr("retry: 2000\nid: "));
  const auto created = office.send("POST", blocks_path, february);
  const auto blocked = events.next();
  EXPECT_THAT(blocked, HasSubstr(R"(data: {"kind":"unit","ids":[)"));
  EXPECT_THAT(blocked, HasSubstr(unit_id(1)));
  EXPECT_THAT(blocked, HasSubstr(string_at(created, "/id")));
  ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  const auto booked = events.next();
  EXPECT_THAT(booked, HasSubstr(R"(data: {"kind":"calendar","ids":[)"));
  EXPECT_THAT(booked, HasSubstr(unit_id(1)));
  const auto made =
      office.send("POST", "/api/bookings",
                  R"({"unitId":")" + unit_id(1) +
                      R"(","checkInDate":"2028-02-01","checkOutDate":"2028-03-01","occupants":1,)"
                      R"("tenant":{"firstName":"Ida","email":"ida@guests.example"}})");
  const auto booked_by_hand = events.next();
  EXPECT_THAT(booked_by_hand, HasSubstr(R"(data: {"kind":"calendar","ids":[)"));
  EXPECT_THAT(booked_by_hand, HasSubstr(unit_id(1)));
  EXPECT_THAT(booked_by_hand, HasSubstr(string_at(made, "/id")));
  office.place.import(portfolio_of(1, {{account_pointer + "/companyName", R"("Casa Azul")"}}));
  EXPECT_THAT(events.next(), HasSubstr(R"(data: {"kind":"account","ids":[)"));
}

TEST_P(OfficeEventStream, ContinuesAfterTheLastEventAlsoOnARestartedServer) {
  event_fixture office(GetParam());
  auto events = office.open();
  office.send("POST", blocks_path, february);
  const auto known = event_source::id_of(events.next());
  const auto missed = office.send("POST", blocks_path, february);
  office.restart();
  auto again = office.open({{"Last-Event-ID", known}});
  EXPECT_THAT(again.opening, HasSubstr("id: " + known + "\n"));
  EXPECT_THAT(again.next(), HasSubstr(string_at(missed, "/id")));
}

TEST_P(OfficeEventStream, TellsTheClientToReloadIfEventsMayBeMissing) {
  event_fixture office(GetParam());
  for (const auto* id : {"1-aaaaaaaa-0000-4000-8000-000000000001", "0-", "17", "x"}) {
    auto events = office.open({{"Last-Event-ID", id}});
    EXPECT_THAT(events.opening, HasSubstr("event: reload\ndata: {\"position\":")) << id;
    const auto created = office.send("POST", blocks_path, february);
    EXPECT_THAT(events.next(), HasSubstr(string_at(created, "/id"))) << "it continues from now on";
  }
}

TEST_P(OfficeEventStream, EndsWithTheSession) {
  event_fixture office(GetParam());
  auto events = office.open();
  ASSERT_EQ(office.ana.post("/auth/logout").status, 200U);
  EXPECT_TRUE(events.ends());
}

TEST_P(OfficeEventStream, EndsWhenTheUserIsDeactivated) {
  event_fixture office(GetParam());
  auto events = office.open();
  office.place.import(portfolio_of(1, {{account_pointer + "/users/0/deactivated", "true"}}));
  EXPECT_TRUE(events.ends());
  EXPECT_THAT(office.open().head, HasSubstr(" 403 "));
}

TEST_P(OfficeEventStreamOverHttp, DoesNotDelayTheServersEnd) {
  event_fixture office(GetParam(), {{"server.drain_timeout", "\"60s\""}});
  auto events = office.open();
  const auto before = std::chrono::steady_clock::now();
  office.server.reset();
  EXPECT_TRUE(events.ends());
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds{30});
}

TEST_P(OfficeEventStreamOverHttp, IsOpenToPagesOfThisSite) {
  event_fixture office(GetParam());
  const auto cookie = session_cookie + "=" + office.ana.cookie(session_cookie);
  event_source events(office.server->port(), {{"Cookie", cookie}});
  const auto created = office.send("POST", blocks_path, february);
  EXPECT_THAT(events.next(), HasSubstr(string_at(created, "/id")));
  EXPECT_THAT(event_source(office.server->port(), {}).head, HasSubstr(" 401 "));
}

TEST_P(OfficeEventStreamOverHttp, IsLimitedInNumberByUser) {
  event_fixture office(GetParam());
  std::vector<std::unique_ptr<event_source>> open;
  const header_fields fields{{"Authorization", "Bearer " + office.token}};
  for (int i = 0; i < 20; ++i) open.push_back(std::make_unique<event_source>(office.server->port(), fields));
  const event_source refused(office.server->port(), fields);
  EXPECT_THAT(refused.head, HasSubstr(" 429 "));
  EXPECT_THAT(refused.head, HasSubstr("Retry-After: 60\r\n"));
  EXPECT_EQ(office.server->metric("roost_office_event_streams"), 20);
  open.pop_back(); // its end is noticed when something is sent
  EXPECT_TRUE(eventually([&] {
    office.send("POST", blocks_path, february);
    return event_source(office.server->port(), fields).head.find(" 200 ") != std::string::npos;
  }));
}

} // namespace roost::testing::office_event_stream_test
