#include "http/partner/partner_routes.hpp"
#include "http/protocol/representation.hpp"
#include "http/protocol/server.hpp"
#include "log/log.hpp"
#include "support/raw_client.hpp"

#include <caf/all.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What the calendar export's routes make of a request and of a calendar's answer.
namespace roost::http::calendar_routes_test {
using roost::testing::raw_client;
using roost::testing::raw_response;
using ::testing::HasSubstr;

/// Instead of a unit's calendar: responds with the name of the reader that it was asked for, or does
/// something else.
enum class conduct { tells_reader, is_archived, is_silent, refuses, has_ended };

caf::behavior pretend(caf::event_based_actor* self, conduct how) {
  return {[self, how](const actors::read_ical& wanted) -> caf::result<actors::ical_response> {
    if (how == conduct::refuses) return caf::make_error(caf::sec::runtime_error);
    if (how == conduct::is_silent) return self->make_response_promise<actors::ical_response>();
    if (how == conduct::is_archived) return actors::ical_response{};
    return actors::ical_response{"for " + wanted.reader};
  }};
}

domain::uuid id_of(conduct how) {
  domain::uuid id{};
  id.data[15] = static_cast<std::uint8_t>(how) + 1;
  return id;
}

std::string path_of(const std::string& id) { return "/ical-integration/listings/" + id + "/iCal"; }
std::string path_of(conduct how) { return path_of(domain::to_string(id_of(how))); }

class CalendarRoutes : public ::testing::Test {
protected:
  CalendarRoutes() {
    log::set_level(log::level::off);
    services_.platforms = std::make_shared<const std::vector<domain::platform>>();
    services_.short_term_hosts = {{"one", {"host-one.example"}}, {"two", {"host-two.example"}}};
    services_.directory = &directory_;
    services_.lease = writer_;
    router routes;
    routes.mount("/ical-integration", calendar_routes(services_));
    settings chosen;
    chosen.listen = "127.0.0.1:0";
    server_.emplace(std::move(chosen), std::move(routes), registry_, on_.io_contexts());
    server_->start();
  }

  ~CalendarRoutes() override {
    directory_.set(nullptr);
    for (const auto& calendar : calendars_) caf::anon_send_exit(calendar, caf::exit_reason::user_shutdown);
    calendars_.clear();
    on_.close_ports();
    server_.reset();
  }

  void load() {
    auto account = std::make_shared<actors::directory_account>();
    account->settings = std::make_shared<const domain::account>();
    for (const auto how : {conduct::tells_reader, conduct::is_archived, conduct::is_silent, conduct::refuses,
                           conduct::has_ended}) {
      calendars_.push_back(caf::actor_cast<actors::unit_calendar>(on_.spawn_at(0, pretend, how)));
      actors::directory_unit unit{id_of(how), calendars_.back(), account.get(), {}, {}};
      unit.setup = std::make_shared<const actors::unit_setup>();
      account->units.push_back(std::move(unit));
    }
    end(calendars_.back());
    directory_.set(std::make_shared<const actors::directory>(
        1, services_.platforms, std::vector<std::shared_ptr<const actors::directory_account>>{account}));
    writer_->hold({}, actors::held_lease::clock::time_point::max());
  }

  raw_response send(const std::string& method, const std::string& target,
                    const std::string& fields = "") const {
    return raw_client(server_->port())
        .exchange(method + " " + target + " HTTP/1.1\r\nHost: roost.test\r\n" + fields + "\r\n",
                  method == "HEAD");
  }

  raw_response get(const std::string& target, const std::string& fields = "") const {
    return send("GET", target, fields);
  }

  std::shared_ptr<actors::held_lease> writer_ = std::make_shared<actors::held_lease>();
  actors::published<actors::directory> directory_;

private:
  void end(const actors::unit_calendar& calendar) {
    caf::scoped_actor self{on_.system()};
    self->monitor(calendar);
    self->send_exit(calendar, caf::exit_reason::user_shutdown);
    self->receive([](const caf::down_msg&) {});
  }

  static actors::scheduler_knobs impatient() {
    actors::scheduler_knobs knobs;
    knobs.ask_time_limit = std::chrono::milliseconds{50};
    return knobs;
  }

  partner_services services_;
  metrics::registry registry_;
  actors::runtime on_{impatient()};
  std::vector<actors::unit_calendar> calendars_;
  std::optional<server> server_;
};

std::string refusal(unsigned status, const std::string& message, const std::string& name) {
  return R"({"statusCode":)" + std::to_string(status) + R"(,"message":")" + message + R"(","error":")" +
         name + R"("})";
}

void expect_busy(const raw_response& got) {
  EXPECT_EQ(got.status, 503U);
  EXPECT_EQ(got.header("retry-after"), "5");
  EXPECT_EQ(got.body, refusal(503, "The service is busy. Please try again in a moment.",
                              "ServiceUnavailableException"));
}

TEST_F(CalendarRoutes, GiveACalendarAsAFile) {
  load();
  for (const auto& path : {path_of(conduct::tells_reader), path_of(conduct::tells_reader) + ".ics"}) {
    const auto got = get(path);
    EXPECT_EQ(got.status, 200U);
    EXPECT_EQ(got.body, "for ");
    EXPECT_EQ(got.header("content-type"), "text/calendar; charset=utf-8");
    EXPECT_EQ(got.header("content-disposition"), "attachment; filename=calendar.ics");
    EXPECT_EQ(got.header("vary"), "Origin, Referer, User-Agent");
    EXPECT_EQ(got.header("cache-control"), "private, no-cache");
    EXPECT_EQ(got.header("etag"), entity_tag_of(got.body));
    EXPECT_EQ(got.header("content-length"), "4");
  }
}

TEST_F(CalendarRoutes, AskForNoCredentialsAndMindNone) {
  load();
  EXPECT_EQ(get(path_of(conduct::tells_reader), "Authorization: Bearer x\r\n").status, 200U);
}

TEST_F(CalendarRoutes, LeaveTheBodyAwayForHead) {
  load();
  const auto got = send("HEAD", path_of(conduct::tells_reader));
  EXPECT_EQ(got.status, 200U);
  EXPECT_EQ(got.header("content-length"), "4");
  EXPECT_EQ(got.header("etag"), entity_tag_of("for "));
}

TEST_F(CalendarRoutes, AnswerNotModifiedToWhoHasTheText) {
  load();
  const auto path = path_of(conduct::tells_reader);
  const auto tag = entity_tag_of("for ");
  for (const auto& tags : {tag, "W/" + tag, "\"other\", " + tag, std::string{"*"}}) {
    const auto got = get(path, "If-None-Match: " + tags + "\r\n");
    EXPECT_EQ(got.status, 304U) << tags;
    EXPECT_EQ(got.body, "");
    EXPECT_EQ(got.header("etag"), tag);
    EXPECT_EQ(got.header("vary"), "Origin, Referer, User-Agent");
    EXPECT_EQ(got.header("cache-control"), "private, no-cache");
    EXPECT_EQ(got.header("content-disposition"), "");
    EXPECT_EQ(got.header("content-type"), "");
    EXPECT_EQ(got.header("content-length"), "");
  }
  EXPECT_EQ(send("HEAD", path, "If-None-Match: " + tag + "\r\n").status, 304U);
  EXPECT_EQ(get(path, "If-None-Match: \"other\"\r\n").body, "for ");
  // A short-term host has a text of its own.
  EXPECT_EQ(get(path, "Origin: https://host-one.example\r\nIf-None-Match: " + tag + "\r\n").body, "for one");
}

TEST_F(CalendarRoutes, TellTheCalendarWhichHostAsks) {
  load();
  const auto reader = [&](const std::string& fields) {
    return get(path_of(conduct::tells_reader), fields).body.substr(4);
  };
  const std::string origin = "Origin: https://", referer = "Referer: https://", agent = "User-Agent: ";
  EXPECT_EQ(reader(origin + "host-one.example\r\n"), "one");
  EXPECT_EQ(reader(referer + "www.host-two.example/calendars?page=2\r\n"), "two");
  EXPECT_EQ(reader(agent + "Host-Two.example/3.1 (calendar import)\r\n"), "two");
  EXPECT_EQ(reader(origin + "host-one.example\r\n" + referer + "host-two.example/\r\n"), "one");
  EXPECT_EQ(reader(origin + "other.example\r\n" + agent + "host-two.example\r\n"), "");
  EXPECT_EQ(reader(origin + "host-one.example.other.example\r\n"), "");
  EXPECT_EQ(reader(agent + "curl/7.88.1\r\n"), "");
  // What comes twice says nothing.
  EXPECT_EQ(reader(origin + "host-one.example\r\n" + origin + "host-one.example\r\n"), "");
  EXPECT_EQ(
      reader(origin + "host-one.example\r\n" + origin + "x.example\r\n" + agent + "host-two.example\r\n"),
      "two");
}

TEST_F(CalendarRoutes, TakeUuidsInTheirCanonicalFormOnly) {
  load();
  const std::string id = domain::to_string(id_of(conduct::tells_reader));
  for (const auto& wrong : {std::string{"x"}, std::string{"L1"}, "urn%3Auuid%3A" + id, id + "%20",
                            id.substr(1), "%7B" + id + "%7D", std::string(100, 'x'), "g" + id.substr(1),
                            std::string{"%00"}, std::string{"null"}})
    for (const auto* end : {"", ".ics"}) {
      const auto got = get(path_of(wrong) + end);
      EXPECT_EQ(got.status, 400U) << wrong;
      EXPECT_EQ(got.body, refusal(400, "Validation failed (uuid is expected)", "BadRequestException"));
    }
  EXPECT_EQ(get(path_of("ABCDEFAB-CDEF-0000-0000-ABCDEFABCDEF")).status, 404U); // one that nobody has
  EXPECT_EQ(get(path_of("%30" + id.substr(1))).status, 200U);
  EXPECT_THAT(get(path_of("%ff")).body, HasSubstr("is not a valid url component"));
}

TEST_F(CalendarRoutes, FindOnlyUnitsThatAreThere) {
  load();
  const std::string nobodys = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  for (const auto& id : {nobodys, domain::to_string(id_of(conduct::is_archived)),
                         domain::to_string(id_of(conduct::has_ended))}) {
    const auto got = get(path_of(id));
    EXPECT_EQ(got.status, 404U);
    EXPECT_EQ(got.body, refusal(404, "Listing not found for ical-integration with listingId " + id,
                                "NotFoundException"));
  }
}

TEST_F(CalendarRoutes, AreBusyWhenTheCalendarDoesNotAnswer) {
  load();
  expect_busy(get(path_of(conduct::is_silent)));
  expect_busy(get(path_of(conduct::refuses) + ".ics"));
}

TEST_F(CalendarRoutes, AreBusyUntilTheUnitsAreLoadedAndWhenAnotherServerWrites) {
  expect_busy(get(path_of(conduct::tells_reader)));
  expect_busy(get(path_of("x"))); // before anything is looked at
  load();
  EXPECT_EQ(get(path_of(conduct::tells_reader)).status, 200U);
  writer_->give_up();
  expect_busy(get(path_of(conduct::tells_reader) + ".ics"));
}

TEST_F(CalendarRoutes, AreTwoPathsAndOneMethod) {
  load();
  const auto path = path_of(conduct::tells_reader);
  for (const auto& other :
       {path + "/", path + ".icsx", path + ".ICS", path + "s", path.substr(0, path.size() - 5)})
    EXPECT_THAT(get(other).body, HasSubstr("\"Cannot GET " + other + "\""));
  for (const auto* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    EXPECT_THAT(send(method, path, "Content-Length: 0\r\n").body,
                HasSubstr("\"Cannot " + std::string{method} + " " + path + "\""));
}

} // namespace roost::http::calendar_routes_test
