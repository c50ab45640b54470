#include "service/office_support/office_world.hpp"
#include "store/support/stored_rows.hpp"
#include "support/random_cases.hpp"
#include "support/web_site.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Exports after random histories of an office: each imports back without a change.
namespace roost::testing::unchanged_exports_test {
using ::testing::HasSubstr;

class UnchangedExports : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(UnchangedExports);

const header_fields any_state{{"If-Match", "*"}}, none_yet{{"If-None-Match", "*"}};

std::string day_in_ical(int days) {
  auto text = day_from_now(days);
  std::erase(text, '-');
  return text;
}

/// A server with an office, and a random history of its writes.
class office_history {
public:
  office_history(store_kind kind, std::mt19937& random) : random_(random), world_(kind) {
    world_.place.set("calendars.ca_file", '"' + host_.certificate_file() + '"');
    world_.place.set("calendars.allow_private", "\"on\"");
    world_.restart();
    host_.publish(http_response("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Host//EN\r\nBEGIN:VEVENT\r\n"
                                "UID:1\r\nDTSTART;VALUE=DATE:" +
                                    day_in_ical(700) + "\r\nDTEND;VALUE=DATE:" + day_in_ical(707) +
                                    "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
                                "200 OK", "Content-Type: text/calendar\r\n"));
    for (const auto& route : office_routes)
      if (std::string_view(route.method) != "GET") routes_.push_back(&route);
  }

  /// Sends each of the requests that are described here, and as many of those of all routes, in random order.
  void run() {
    std::vector<std::function<void()>> steps;
    for (std::size_t i = 0; i < 8; ++i) steps.emplace_back([this] { edit_unit(); });
    for (std::size_t i = 0; i < 3; ++i) {
      steps.emplace_back([this] { set_block(); });
      steps.emplace_back([this] { import_calendar(); });
      steps.emplace_back([this] { renew_export_address(); });
      steps.emplace_back([this] { set_budget(); });
      steps.emplace_back([this] { book(); });
      steps.emplace_back([this] { update_as_platform(); });
    }
    for (std::size_t i = 0; i < 30; ++i) steps.emplace_back([this] { send_any(); });
    std::ranges::shuffle(steps, random_);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i]();
      if (i == steps.size() / 2) expect_unchanged();
    }
    expect_unchanged();
    expect_reproduced();
    EXPECT_GE(done_.size(), 15U) << "kinds of requests that were accepted";
  }

private:
  int any(int min, int max) { return domain::int_between(random_, min, max); }
  std::string number() { return std::to_string(any(1, 99'999)); }

  /// Sends a request in any state. It may be refused, but must be decided.
  raw_response send(const std::string& method, const std::string& path, const std::string& body = {},
                    const header_fields& fields = any_state) {
    auto response = world_.send(method, path, body, fields);
    EXPECT_LT(response.status, 500U) << method << ' ' << path << ' ' << body << ": " << response.body;
    if (response.status < 300) done_.insert(method + ' ' + path.substr(0, path.find_last_of('/')));
    return response;
  }

  /// Sends a write of the table of all routes, about a new resource or one that an earlier request has used.
  void send_any() {
    const auto& route = *routes_[static_cast<std::size_t>(any(0, static_cast<int>(routes_.size()) - 1))];
    auto& known = examples_[route.about];
    if (known.empty() || any(1, 3) == 1) known.push_back(world_.make(route.about));
    const auto& about = known[static_cast<std::size_t>(any(0, static_cast<int>(known.size()) - 1))];
    const auto request = world_.request_of(route, about);
    const auto response = world_.send_as_ana(
        request, route.write.condition == precondition::none ? header_fields{} : any_state);
    EXPECT_LT(response.status, 500U) << route.method << ' ' << route.path << ": " << response.body;
    if (response.status < 300) done_.insert(std::string(route.method) + ' ' + route.path);
  }

  std::string any_unit() {
    auto& units = examples_[office_kind::unit];
    if (units.size() < 3) units.push_back(world_.make(office_kind::unit));
    return "/api/units/" + units[static_cast<std::size_t>(any(0, static_cast<int>(units.size()) - 1))].id;
  }

  void edit_unit() {
    const std::string windows =
        R"({"bookingWindows":[{"minStartDate":"2099-01-01","maxStartDate":"2099-02-01",)"
        R"("minEndDate":"2099-06-01","maxEndDate":"2099-07-01"},{"minStartDate":"2099-01-01",)"
        R"("maxStartDate":"2099-03-01","minEndDate":"2099-06-01","maxEndDate":"2099-08-01"}]})";
    const std::vector<std::string> edits{
        R"({"capacity":)" + std::to_string(any(1, 9)) + "}",
        R"({"rent":{"fixed":true,"amount":)" + number() + ".25}}",
        R"({"rent":{"fixed":false,"perMonth":[{"month":2,"rent":)" + number() + "}]}}",
        R"({"bills":{"included":true,"maxValue":)" + number() + "}}",
        std::string(R"({"internalName":"Ático \"ß\" 日本 )") + number() + "\"}",
        std::string(R"({"archived":)") + (any(0, 1) == 1 ? "true}" : "false}"),
        windows,
        R"({"bookingWindows":[]})"};
    send("PATCH", any_unit(), edits.at(static_cast<std::size_t>(any(0, static_cast<int>(edits.size()) - 1))));
  }

  void set_block() {
    const auto unit = any_unit();
    const int first = any(1, 600);
    const auto to = any(1, 4) == 1 ? "null" : '"' + day_from_now(first + any(0, 20)) + '"';
    const auto set = send("POST", unit + "/blocks",
                          R"({"from":")" + day_from_now(first) + R"(","to":)" + to +
                              R"(,"note":"Pintura \"azul\",\n日本 )" + number() + "\"}",
                          {});
    if (set.status != 201 || any(1, 3) == 1) return;
    const auto path = unit + "/blocks/" + string_at(set, "/id");
    if (any(1, 2) == 1)
      send("PATCH", path, R"({"note":"Roof )" + number() + "\"}");
    else
      send("DELETE", path);
  }

  void import_calendar() {
    const auto unit = any_unit();
    const auto added =
        send("POST", unit + "/calendars",
             R"({"name":"Host )" + number() + R"(","url":")" + host_.url("/" + number() + ".ics") +
                 R"(","host":)" + (any(1, 2) == 1 ? R"("host-one")" : "null") + R"(,"every":")" +
                 std::to_string(any(1, 3)) + "h\"}",
             {});
    if (added.status != 201) return;
    const auto path = unit + "/calendars/" + string_at(added, "/id");
    EXPECT_TRUE(eventually([&] { return json_at(world_.send("GET", path).body, "/events") == "1"; }));
    if (any(1, 3) == 1) send("PATCH", path, R"({"name":"Paper )" + number() + "\"}");
    if (any(1, 3) == 1) send("DELETE", path);
  }

  void renew_export_address() { send("POST", any_unit() + "/export-address"); }

  void set_budget() {
    send("PUT", "/api/ai",
         any(1, 3) == 1 ? R"({"budget":null})"
                        : R"({"budget":{"monthly":)" + number() + R"(.5,"warnAt":[0.5,0.8,1.0]}})");
  }

  /// Books by hand, and mostly moves or cancels the stay.
  void book() {
    const auto unit = any_unit(), id = unit.substr(std::string_view("/api/units/").size());
    const int first = any(1, 600);
    const auto stay = [](int from) {
      return R"("checkInDate":")" + day_from_now(from) + R"(","checkOutDate":")" + day_from_now(from + 30) +
             '"';
    };
    const auto booked =
        send("POST", "/api/bookings",
             R"({"unitId":")" + id + "\"," + stay(first) +
                 R"(,"occupants":1,"tenant":{"firstName":"Ida","email":"ida@guests.example"}})",
             {});
    if (booked.status != 201) return;
    const auto path = "/api/bookings/" + string_at(booked, "/id");
    if (any(1, 3) != 1) send("PATCH", path, "{" + stay(first + any(1, 60)) + "}");
    if (any(1, 3) == 1) send("POST", path + "/cancel", R"({"reason":"Ill"})");
  }

  void update_as_platform() {
    const auto update = listing_update("u1", {{"/isRentFixed", "true"}, {"/rent", number()}});
    if (!engine_) engine_.emplace(world_.partner_of("booking-engine"));
    EXPECT_EQ(engine_->put("/listing", update).status, 200U);
  }

  std::vector<std::string> rows() {
    auto db = world_.place.store().open();
    return portfolio_rows(db);
  }

  /// Exports everything, and imports it while the server runs.
  void expect_unchanged() {
    const auto file = "exported-" + std::to_string(++exports_) + ".json";
    world_.place.run_or_throw({"export", "--out", file});
    const auto before = rows();
    EXPECT_EQ(world_.place.run_or_throw({"import", "--plan", file}), file + ": nothing would change\n");
    EXPECT_THAT(world_.place.run_or_throw({"import", file}), HasSubstr("; nothing changed\n"));
    EXPECT_EQ(rows(), before);
  }

  /// Imports the export into an empty store, whose export is the same.
  void expect_reproduced() {
    const auto text = world_.place.run_or_throw({"export"});
    const workplace other(store_kind::sqlite);
    other.import(text);
    EXPECT_EQ(other.run_or_throw({"export"}), text);
  }

  std::mt19937& random_;
  web_site host_;
  office_world world_;
  std::vector<const office_route*> routes_;
  std::map<office_kind, std::vector<office_example>> examples_;
  std::optional<partner> engine_;
  std::set<std::string> done_; ///< requests that were accepted, by method and path
  unsigned exports_ = 0;
};

TEST_P(UnchangedExports, FollowAnyHistoryOfTheOffice) {
  domain::for_random_cases(2, [&](std::mt19937& random) { office_history(GetParam(), random).run(); });
}

} // namespace roost::testing::unchanged_exports_test
