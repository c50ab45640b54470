#include "http/partner/partner_api.hpp"
#include "http/protocol/entity_tags.hpp"
#include "http/protocol/server.hpp"
#include "log/log.hpp"
#include "support/raw_client.hpp"

#include <caf/all.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// How the routes of the calendar export handle requests and the responses of calendars.
namespace roost::http::calendar_routes_test {
using roost::testing::raw_client;
using roost::testing::raw_response;
using ::testing::HasSubstr;

/// The behavior of a fake calendar: it returns the name of the reader in the request, or fails in some way.
enum class conduct { returns_reader, is_archived, is_silent, refuses, has_ended };

caf::behavior fake_calendar(caf::event_based_actor* self, conduct kind) {
  return {[self, kind](const actors::read_ical& message) -> caf::result<actors::ical_response> {
    if (kind == conduct::refuses) return caf::make_error(caf::sec::runtime_error);
    if (kind == conduct::is_silent) return self->make_response_promise<actors::ical_response>();
    if (kind == conduct::is_archived) return actors::ical_response{};
    return actors::ical_response{"for " + message.reader};
  }};
}

domain::uuid id_of(conduct kind) {
  domain::uuid id{};
  id.data[15] = static_cast<std::uint8_t>(kind) + 1;
  return id;
}

std::string path_of(const std::string& id) { return "/ical-integration/listings/" + id + "/iCal"; }
std::string path_of(conduct kind) { return path_of(domain::to_string(id_of(kind))); }

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
    settings options;
    options.listen = "127.0.0.1:0";
    server_.emplace(std::move(options), std::move(routes), registry_, runtime_.io_contexts());
    server_->start();
  }

  ~CalendarRoutes() override {
    directory_.set(nullptr);
    for (const auto& calendar : calendars_) caf::anon_send_exit(calendar, caf::exit_reason::user_shutdown);
    calendars_.clear();
    runtime_.close_ports();
    server_.reset();
  }

  void load() {
    auto account = std::make_shared<actors::directory_account>();
    account->settings = std::make_shared<const domain::account>();
    for (const auto kind : {conduct::returns_reader, conduct::is_archived, conduct::is_silent,
                            conduct::refuses, conduct::has_ended}) {
      calendars_.push_back(caf::actor_cast<actors::unit_calendar>(runtime_.spawn_at(0, fake_calendar, kind)));
      const auto setup = std::make_shared<actors::unit_setup>();
      setup->terms.id = id_of(kind);
      account->units.push_back({calendars_.back(), account.get(), setup});
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
    caf::scoped_actor self{runtime_.system()};
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
  actors::runtime runtime_{impatient()};
  std::vector<actors::unit_calendar> calendars_;
  std::optional<server> server_;
};

std::string refusal(unsigned status, const std::string& message, const std::string& name) {
  return R"({"statusCode":)" + std::to_string(status) + R"(,"message":")" + message + R"(","error":")" +
         name + R"("})";
}

void expect_busy(const raw_response& response) {
  EXPECT_EQ(response.status, 503U);
  EXPECT_EQ(response.header("retry-after"), "5");
  EXPECT_EQ(response.body, refusal(503, "The service is busy. Please try again in a moment.",
                                   "ServiceUnavailableException"));
}

TEST_F(CalendarRoutes, ReturnACalendarAsAFile) {
  load();
  for (const auto& path : {path_of(conduct::returns_reader), path_of(conduct::returns_reader) + ".ics"}) {
    const auto response = get(path);
    EXPECT_EQ(response.status, 200U);
    EXPECT_EQ(response.body, "for ");
    EXPECT_EQ(response.header("content-type"), "text/calendar; charset=utf-8");
    EXPECT_EQ(response.header("content-disposition"), "attachment; filename=calendar.ics");
    EXPECT_EQ(response.header("vary"), "Origin, Referer, User-Agent");
    EXPECT_EQ(response.header("cache-control"), "private, no-cache");
    EXPECT_EQ(response.header("etag"), entity_tag_of(response.body));
    EXPECT_EQ(response.header("content-length"), "4");
  }
}

TEST_F(CalendarRoutes, RequireNoCredentialsAndIgnoreThem) {
  load();
  EXPECT_EQ(get(path_of(conduct::returns_reader), "Authorization: Bearer x\r\n").status, 200U);
}

TEST_F(CalendarRoutes, OmitTheBodyForHead) {
  load();
  const auto response = send("HEAD", path_of(conduct::returns_reader));
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(response.header("content-length"), "4");
  EXPECT_EQ(response.header("etag"), entity_tag_of("for "));
}

TEST_F(CalendarRoutes, Return304ForACurrentTag) {
  load();
  const auto path = path_of(conduct::returns_reader);
  const auto tag = entity_tag_of("for ");
  for (const auto& tags : {tag, "W/" + tag, "\"other\", " + tag, std::string{"*"}}) {
    const auto response = get(path, "If-None-Match: " + tags + "\r\n");
    EXPECT_EQ(response.status, 304U) << tags;
    EXPECT_EQ(response.body, "");
    EXPECT_EQ(response.header("etag"), tag);
    EXPECT_EQ(response.header("vary"), "Origin, Referer, User-Agent");
    EXPECT_EQ(response.header("cache-control"), "private, no-cache");
    EXPECT_EQ(response.header("content-disposition"), "");
    EXPECT_EQ(response.header("content-type"), "");
    EXPECT_EQ(response.header("content-length"), "");
  }
  EXPECT_EQ(send("HEAD", path, "If-None-Match: " + tag + "\r\n").status, 304U);
  EXPECT_EQ(get(path, "If-None-Match: \"other\"\r\n").body, "for ");
  // A short-term host gets its own text.
  EXPECT_EQ(get(path, "Origin: https://host-one.example\r\nIf-None-Match: " + tag + "\r\n").body, "for one");
}

TEST_F(CalendarRoutes, PassTheNameOfTheHostToTheCalendar) {
  load();
  const auto reader = [&](const std::string& fields) {
    return get(path_of(conduct::returns_reader), fields).body.substr(4);
  };
  const std::string origin = "Origin: https://", referer = "Referer: https://", agent = "User-Agent: ";
  EXPECT_EQ(reader(origin + "host-one.example\r\n"), "one");
  EXPECT_EQ(reader(referer + "www.host-two.example/calendars?page=2\r\n"), "two");
  EXPECT_EQ(reader(agent + "Host-Two.example/3.1 (calendar import)\r\n"), "two");
  EXPECT_EQ(reader(origin + "host-one.example\r\n" + referer + "host-two.example/\r\n"), "one");
  EXPECT_EQ(reader(origin + "other.example\r\n" + agent + "host-two.example\r\n"), "");
  EXPECT_EQ(reader(origin + "host-one.example.other.example\r\n"), "");
  EXPECT_EQ(reader(agent + "curl/7.88.1\r\n"), "");
  // A repeated field is ignored.
  EXPECT_EQ(reader(origin + "host-one.example\r\n" + origin + "host-one.example\r\n"), "");
  EXPECT_EQ(
      reader(origin + "host-one.example\r\n" + origin + "x.example\r\n" + agent + "host-two.example\r\n"),
      "two");
}

TEST_F(CalendarRoutes, AcceptOnlyCanonicalUuids) {
  load();
  const std::string id = domain::to_string(id_of(conduct::returns_reader));
  for (const auto& wrong : {std::string{"x"}, std::string{"L1"}, "urn%3Auuid%3A" + id, id + "%20",
                            id.substr(1), "%7B" + id + "%7D", std::string(100, 'x'), "g" + id.substr(1),
                            std::string{"%00"}, std::string{"null"}})
    for (const auto* end : {"", ".ics"}) {
      const auto response = get(path_of(wrong) + end);
      EXPECT_EQ(response.status, 400U) << wrong;
      EXPECT_EQ(response.body, refusal(400, "Validation failed (uuid is expected)", "BadRequestException"));
    }
  EXPECT_EQ(get(path_of("ABCDEFAB-CDEF-0000-0000-ABCDEFABCDEF")).status, 404U); // unknown
  EXPECT_EQ(get(path_of("%30" + id.substr(1))).status, 200U);
  EXPECT_THAT(get(path_of("%ff")).body, HasSubstr("is not a valid url component"));
}

TEST_F(CalendarRoutes, FindOnlyExistingUnits) {
  load();
  const std::string unknown = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  for (const auto& id : {unknown, domain::to_string(id_of(conduct::is_archived)),
                         domain::to_string(id_of(conduct::has_ended))}) {
    const auto response = get(path_of(id));
    EXPECT_EQ(response.status, 404U);
    EXPECT_EQ(response.body, refusal(404, "Listing not found for ical-integration with listingId " + id,
                                     "NotFoundException"));
  }
}

TEST_F(CalendarRoutes, AreBusyWhenTheCalendarDoesNotRespond) {
  load();
  expect_busy(get(path_of(conduct::is_silent)));
  expect_busy(get(path_of(conduct::refuses) + ".ics"));
}

TEST_F(CalendarRoutes, AreBusyUntilTheUnitsAreLoadedAndWithoutTheLease) {
  expect_busy(get(path_of(conduct::returns_reader)));
  expect_busy(get(path_of("x"))); // before the ID is checked
  load();
  EXPECT_EQ(get(path_of(conduct::returns_reader)).status, 200U);
  writer_->give_up();
  expect_busy(get(path_of(conduct::returns_reader) + ".ics"));
}

TEST_F(CalendarRoutes, HaveTwoPathsAndOneMethod) {
  load();
  const auto path = path_of(conduct::returns_reader);
  for (const auto& other :
       {path + "/", path + ".icsx", path + ".ICS", path + "s", path.substr(0, path.size() - 5)})
    EXPECT_THAT(get(other).body, HasSubstr("\"Cannot GET " + other + "\""));
  for (const auto* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    EXPECT_THAT(send(method, path, "Content-Length: 0\r\n").body,
                HasSubstr("\"Cannot " + std::string{method} + " " + path + "\""));
}

} // namespace roost::http::calendar_routes_test
