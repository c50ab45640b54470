#include "domain/text.hpp"
#include "service/office_support/office_routes.hpp"
#include "service/office_support/office_world.hpp"
#include "service/support/openapi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

/// What all routes of the office have in common.
namespace roost::testing::office_routes_test {
using ::testing::HasSubstr;

/// Returns the path with ids that name nothing, so that no request changes anything.
std::string path_of(const office_route& each) {
  std::string path = each.path;
  for (auto at = path.find('{'); at != std::string::npos; at = path.find('{'))
    path.replace(at, path.find('}') + 1 - at, "x");
  return path;
}

using domain::lower_case;

ROOST_FOR_EACH_STORE(OfficeRoutes);

TEST_P(OfficeRoutes, AreTheDocumentedOnes) {
  const office_fixture office(GetParam());
  const auto document = send_request(office.server->port(), "GET", "/office-json").body;
  std::size_t documented = 0;
  for (auto at = document.find("\"operationId\""); at != std::string::npos;
       at = document.find("\"operationId\"", at + 1))
    ++documented;
  EXPECT_EQ(documented, office_routes.size()) << "add the new route to office_routes.hpp";
  for (const auto& each : office_routes) {
    std::string pointer = "/paths/";
    for (const char c : std::string_view(each.path))
      pointer += c == '/' ? std::string("~1") : std::string(1, c);
    EXPECT_THAT(json_at(document, pointer + '/' + lower_case(each.method)), HasSubstr("operationId"))
        << each.path;
  }
}

TEST_P(OfficeRoutes, DocumentTheirConditionsAndStatuses) {
  const office_fixture office(GetParam());
  const auto document = document_of(*office.server, "office");
  for (const auto& each : office_routes) {
    SCOPED_TRACE(std::string(each.method) + ' ' + each.path);
    const openapi::operation operation{lower_case(each.method), each.path};
    const bool is_conditional = each.write.condition != precondition::none,
               may_create = each.write.condition == precondition::if_match_or_none;
    EXPECT_EQ(document.requires_header(operation, "If-Match"),
              is_conditional ? std::optional{!may_create} : std::nullopt);
    EXPECT_EQ(document.requires_header(operation, "If-None-Match"),
              may_create ? std::optional{false} : std::nullopt);
    EXPECT_EQ(document.documents_status(operation, 428), is_conditional);
    EXPECT_TRUE(!is_conditional || document.documents_status(operation, 412));
    EXPECT_TRUE(document.documents_status(operation, each.write.status)) << each.write.status;
  }
  EXPECT_TRUE(document.documents_status({"put", "/api/platforms/{platform}/card"}, 201));
}

/// A server with a user for each permission, who has no other one.
struct permission_fixture {
  explicit permission_fixture(store_kind kind)
      : permissions(all_permissions()), office(kind, roles(permissions), users(permissions)) {}

  static std::vector<std::string> all_permissions() {
    std::set<std::string> distinct;
    for (const auto& each : office_routes) distinct.insert(each.permission);
    return {distinct.begin(), distinct.end()};
  }

  static std::map<std::string, std::string> roles(const std::vector<std::string>& permissions) {
    std::map<std::string, std::string> settings;
    for (std::size_t i = 0; i < permissions.size(); ++i)
      settings["roles.Only" + std::to_string(i)] =
          permissions[i].empty() ? "[]" : "[\"" + permissions[i] + "\"]";
    return settings;
  }

  static std::string mail_of(std::size_t index) {
    return "only" + std::to_string(index) + "@casaverde.example";
  }

  static std::vector<edit> users(const std::vector<std::string>& permissions) {
    std::vector<edit> edits;
    for (std::size_t i = 0; i < permissions.size(); ++i)
      edits.push_back({account_pointer + "/users/-",
                       R"({"id":"22222222-0000-4000-8000-0000000000)" + std::to_string(10 + i) +
                           R"(","email":")" + mail_of(i) +
                           R"(","password":"ana-only","firstName":"A","lastName":"B","role":"Only)" +
                           std::to_string(i) + "\"}"});
    return edits;
  }

  std::vector<std::string> permissions;
  office_fixture office;
};

TEST_P(OfficeRoutes, RequireExactlyTheirPermission) {
  permission_fixture fixture(GetParam());
  auto& office = fixture.office;
  for (std::size_t i = 0; i < fixture.permissions.size(); ++i) {
    const auto& permission = fixture.permissions[i];
    office.token = token_of(office, permission_fixture::mail_of(i));
    for (const auto& each : office_routes) {
      if (each.path == std::string_view("/api/events")) continue; // its response does not end
      const bool has_body = *each.write.body != '\0';
      const auto response = office.send(each.method, path_of(each), has_body ? "{}" : "");
      const bool is_refused = *each.permission != '\0' && each.permission != permission;
      EXPECT_EQ(response.status == 403, is_refused)
          << permission << ": " << each.method << ' ' << each.path << ' ' << response.body;
    }
  }
}

TEST_P(OfficeRoutes, ReportABadCursorTogetherWithOtherProblemsOfTheQuery) {
  office_fixture office(GetParam());
  const auto document = document_of(*office.server, "office");
  std::size_t lists = 0;
  for (const auto& each : office_routes) {
    if (!document.has_query({lower_case(each.method), each.path}, "after")) continue;
    ++lists;
    for (const auto* cursor : {"zz", "61", "610a62", "610a620a630a64"}) { // 1, 2 and 4 texts
      const auto message =
          string_at(office.send("GET", path_of(each) + "?limit=0&since=x&after=" + cursor), "/message");
      EXPECT_THAT(message, HasSubstr("limit must not be less than 1")) << each.path << ' ' << cursor;
      // The platforms' cursor is any text until the platforms are read.
      if (each.path == std::string_view("/api/platforms") && cursor == std::string_view("61")) continue;
      EXPECT_THAT(message, HasSubstr("after must be ")) << each.path << ' ' << cursor;
    }
  }
  EXPECT_GT(lists, 10U);
}

TEST_P(OfficeRoutes, RefuseCallersWhoAreNotSignedIn) {
  const office_fixture office(GetParam());
  for (const auto& each : office_routes)
    EXPECT_EQ(send_request(office.server->port(), each.method, path_of(each)).status, 401U)
        << each.method << ' ' << each.path;
}

} // namespace roost::testing::office_routes_test
