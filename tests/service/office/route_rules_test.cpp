#include "service/office_support/event_source.hpp"
#include "service/office_support/office_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

/// What all routes of the office promise: who sees what, preconditions, ids of creations, and the traces of
/// writes. Each test goes through the whole table.
namespace roost::testing::office_route_rules_test {
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

const header_fields any_state{{"If-Match", "*"}}, none_yet{{"If-None-Match", "*"}};

std::string name_of(const office_route& route) { return std::string(route.method) + ' ' + route.path; }

bool is_exempt(const office_route& route) { return *route.exempt != '\0'; }
bool is_read(const office_route& route) { return route.method == std::string_view("GET"); }
bool creates(const office_route& route) { return route.write.reuse != id_reuse::no_creation; }
bool has_condition(const office_route& route) { return route.write.condition != precondition::none; }
bool names_resource(const office_route& route) {
  return std::string_view(route.path).find('{') != std::string_view::npos;
}

class OfficeRouteRules : public ::testing::TestWithParam<store_kind> {
protected:
  std::string one(const std::string& query) { return store_rows(world.place.store().open(), query, 1).at(0); }
  /// Returns what every write changes: the number of audit entries and the position of the change stream.
  std::string traces() {
    return one("select cast((select count(*) from audit) as text) || ' entries, position '"
               " || cast((select max(position) from changes) as text)");
  }
  std::string entries_of_account() {
    return one("select count(*) from audit where account_id = '" + account_id + "'");
  }

  /// Sends the request as a caller who must not see the resource.
  void expect_hidden(const office_route& route, const office_example& about, const office_request& request,
                     const std::string& caller, unsigned status) {
    if (is_read(route)) return expect_refusal(about, world.send_as(caller, request), status);
    const auto shown = about.shown.empty() ? std::string() : world.send("GET", about.shown).body;
    const auto state = [&] { return status == shows_own ? entries_of_account() : traces(); };
    const auto before = state();
    const auto fields = has_condition(route) ? any_state : header_fields{};
    expect_refusal(about, world.send_as(caller, request, fields), status);
    EXPECT_EQ(state(), before);
    if (!about.shown.empty()) {
      EXPECT_EQ(world.send("GET", about.shown).body, shown);
    }
  }

  static void expect_refusal(const office_example& about, const raw_response& response, unsigned status) {
    if (status == shows_own) {
      EXPECT_LT(response.status, 500U) << response.body;
      EXPECT_NE(response.status, 403U) << response.body;
    } else {
      EXPECT_EQ(response.status, status) << response.body;
    }
    if (!about.mark.empty()) {
      EXPECT_THAT(response.body, Not(HasSubstr(about.mark)));
    }
  }

  office_world world{GetParam()};
};
ROOST_ON_EACH_STORE(OfficeRouteRules);

TEST_P(OfficeRouteRules, HideWhatBelongsToOthers) {
  for (const auto& route : office_routes) {
    if (is_exempt(route)) continue;
    SCOPED_TRACE(name_of(route));
    ASSERT_TRUE(route.others.stranger != 0 && route.others.owner != 0) << "say what others get";
    const auto about = world.make(route.about);
    const auto request = world.request_of(route, about);
    if (is_read(route) || creates(route)) {
      const auto seen = world.send_as_ana(request);
      EXPECT_EQ(seen.status, is_read(route) ? 200U : route.write.status) << seen.body;
      if (is_read(route) && !names_resource(route)) {
        EXPECT_THAT(seen.body, HasSubstr(about.mark));
      }
    }
    {
      SCOPED_TRACE("a user of another account");
      expect_hidden(route, about, request, world.stranger, route.others.stranger);
    }
    SCOPED_TRACE("a user of the role Owner");
    expect_hidden(route, about, request, world.owner, route.others.owner);
  }
}

TEST_P(OfficeRouteRules, RequireTheStateThatTheClientHasRead) {
  for (const auto& route : office_routes) {
    if (!has_condition(route)) continue;
    SCOPED_TRACE(name_of(route));
    const auto about = world.make(route.about);
    const auto old = world.state_of(about);
    const auto member = world.touch(route.about, about);
    const auto request = world.request_of(route, about);
    const auto before = traces();

    const auto unconditional = world.send_as_ana(request);
    EXPECT_EQ(unconditional.status, 428U) << unconditional.body;
    EXPECT_EQ(string_at(unconditional, "/error"), "PreconditionRequiredException");
    const auto outdated =
        world.send_as_ana(request, member.empty() ? header_fields{{"If-Match", "\"other\""}} : old);
    ASSERT_EQ(outdated.status, 412U) << outdated.body;
    EXPECT_EQ(string_at(outdated, "/error"), "PreconditionFailedException");
    EXPECT_EQ(string_at(outdated, "/changedBy"), "ana@casaverde.example");
    EXPECT_THAT(string_at(outdated, "/changedAt"), MatchesRegex("20.*Z"));
    const auto changed = json_at(outdated.body, "/changed");
    if (member.empty()) {
      EXPECT_NE(changed, "[]");
    } else {
      EXPECT_EQ(changed, "[\"" + member + "\"]");
    }
    EXPECT_EQ(traces(), before);

    const auto current = world.state_of(about);
    EXPECT_EQ(outdated.header("etag"), current.front().second);
    const auto done = world.send_as_ana(request, current);
    EXPECT_EQ(done.status, route.write.status) << done.body;
    if (route.write.condition != precondition::if_match_or_none) continue;
    const auto exists = world.send_as_ana(request, none_yet);
    EXPECT_EQ(exists.status, 412U) << exists.body;
  }
}

TEST_P(OfficeRouteRules, ChangeNothingIfAChangeHasNoMembers) {
  for (const auto& route : office_routes) {
    if (route.method != std::string_view("PATCH")) continue;
    SCOPED_TRACE(name_of(route));
    const auto about = world.make(route.about);
    auto request = world.request_of(route, about);
    request.body = "{}";
    const auto shown = about.shown.empty() ? std::string() : world.send("GET", about.shown).body;
    const auto before = traces();
    const auto fields = has_condition(route) ? world.state_of(about) : header_fields{};
    const auto unchanged = world.send_as_ana(request, fields);
    EXPECT_EQ(unchanged.status, 200U) << unchanged.body;
    EXPECT_EQ(traces(), before);
    if (about.shown.empty()) continue;
    EXPECT_EQ(unchanged.body, shown);
  }
}

TEST_P(OfficeRouteRules, CreateOnceForEachId) {
  for (const auto& route : office_routes) {
    if (!creates(route)) continue;
    SCOPED_TRACE(name_of(route));
    const auto request = world.request_of(route, world.make(route.about));
    const auto created = world.send_as_ana(request);
    ASSERT_EQ(created.status, 201U) << created.body;
    const auto id = string_at({.body = request.body}, "/id");
    EXPECT_EQ(string_at(created, "/id"), id);
    const auto location = created.header("location");
    ASSERT_THAT(location, HasSubstr("/api/"));
    const auto path = location.substr(location.find("/api/"));

    const auto before = traces();
    const auto repeated = world.send_as_ana(request);
    EXPECT_EQ(repeated.status, 200U) << repeated.body;
    EXPECT_EQ(string_at(repeated, "/id"), id);
    auto other = request;
    other.body = edited(request.body, {{route.write.other_name, route.write.other_value}});
    const auto refused = world.send_as_ana(other);
    EXPECT_EQ(refused.status, 409U) << refused.body;
    EXPECT_THAT(string_at(refused, "/message"), HasSubstr("was created with this id"));
    EXPECT_EQ(traces(), before);
    const auto shown = world.send("GET", path);
    EXPECT_EQ(shown.status, 200U) << "it is at its Location";
    EXPECT_EQ(string_at(shown, "/id"), id);

    if (route.write.reuse == id_reuse::never_deleted) continue;
    EXPECT_EQ(world.send("DELETE", path, "", any_state).status, 204U);
    const auto again = world.send_as_ana(request);
    EXPECT_EQ(again.status, route.write.reuse == id_reuse::after_deletion ? 201U : 409U) << again.body;
  }
}

/// A write that succeeded, by the positions of the change stream that it lies between.
struct traced_write {
  const office_route* route;
  std::string id; ///< of the resource that it created or concerned
  std::int64_t after, until;
};

class OfficeRouteTraces : public OfficeRouteRules {
protected:
  std::int64_t position() { return std::stoll(one("select max(position) from changes")); }

  /// Returns the newest audit entries of the account, each by its id.
  std::map<std::string, std::string> entries() {
    const auto page = world.send("GET", "/api/audit?limit=50").body;
    std::map<std::string, std::string> found;
    for (int i = 0;; ++i) {
      const auto entry = json_at(page, "/items/" + std::to_string(i));
      if (entry.empty()) return found;
      found.emplace(json_at(entry, "/id"), entry);
    }
  }

  traced_write write(const office_route& route) {
    const auto about = world.make(route.about);
    if (has_condition(route)) world.touch(route.about, about);
    const auto request = world.request_of(route, about);
    const auto fields = has_condition(route) ? world.state_of(about) : header_fields{};
    const auto before = entries();
    traced_write done{&route, about.id, position(), 0};
    const auto response = world.send_as_ana(request, fields);
    EXPECT_EQ(response.status, route.write.status) << response.body;
    done.until = position();
    if (creates(route)) done.id = string_at(response, "/id");
    expect_entry(route, done.id, before);
    return done;
  }

  void expect_entry(const office_route& route, const std::string& id,
                    const std::map<std::string, std::string>& before) {
    auto added = entries();
    std::erase_if(added, [&](const auto& each) { return before.contains(each.first); });
    ASSERT_EQ(added.size(), *route.write.action == '\0' ? 0U : 1U);
    if (added.empty()) return;
    const raw_response entry{.body = added.begin()->second};
    EXPECT_EQ(string_at(entry, "/action"), route.write.action);
    EXPECT_EQ(string_at(entry, "/actor"), "user ana@casaverde.example");
    if (!id.empty()) {
      EXPECT_EQ(string_at(entry, "/subject"), id);
    }
  }

  /// Whether events about the resource name it.
  static bool is_named(office_kind about) {
    constexpr std::array whole{office_kind::nothing, office_kind::account, office_kind::ai,
                               office_kind::me,      office_kind::card,    office_kind::user,
                               office_kind::property};
    return std::ranges::find(whole, about) == whole.end();
  }

  /// Whether one of the events names the id, or asks clients to read the whole account again.
  static bool report(const std::vector<std::string>& events, const std::string& id) {
    return std::ranges::any_of(events, [&](const std::string& event) {
      return json_at(event, "/ids").find(id) != std::string::npos || json_at(event, "/kind") == "\"account\"";
    });
  }

  /// Returns the JSON of the events of Ana's stream up to one that names an id.
  static std::vector<std::string> events_until(event_source& stream, const std::string& id) {
    std::vector<std::string> events;
    for (;;) {
      const auto event = stream.next();
      if (event.find(id) != std::string::npos) return events;
      events.push_back(event_source::data_of(event));
    }
  }
};
ROOST_ON_EACH_STORE(OfficeRouteTraces);

TEST_P(OfficeRouteTraces, AreAnAuditEntryAndAnEventForEachWrite) {
  const auto port = world.server->port();
  event_source stream(port, {{"Authorization", "Bearer " + world.token}});
  event_source elsewhere(port, {{"Authorization", "Bearer " + world.stranger}});
  std::vector<traced_write> writes;
  for (const auto& route : office_routes) {
    if (is_read(route)) continue;
    SCOPED_TRACE(name_of(route));
    writes.push_back(write(route));
  }
  const auto last = world.make(office_kind::block);
  const auto events = events_until(stream, last.id);
  for (const auto& each : writes) {
    SCOPED_TRACE(name_of(*each.route));
    std::vector<std::string> of_write;
    for (const auto& event : events)
      if (const auto at = std::stoll(json_at(event, "/position")); at > each.after && at <= each.until)
        of_write.push_back(event);
    EXPECT_EQ(of_write.size(), each.route->write.events) << ::testing::PrintToString(of_write);
    if (of_write.empty() || !is_named(each.route->about)) continue;
    EXPECT_TRUE(report(of_write, each.id)) << ::testing::PrintToString(of_write);
  }
  // The stranger's stream has nothing of this account, only the stranger's own change.
  ASSERT_EQ(
      world.send_as(world.stranger, {"PATCH", "/api/me", R"({"preferences":{"language":"es"}})"}, any_state)
          .status,
      200U);
  const auto own = std::stoll(json_at(event_source::data_of(elsewhere.next()), "/position"));
  EXPECT_GT(own, writes.back().until);
}

} // namespace roost::testing::office_route_rules_test
