#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

/// What all routes of the office have in common.
namespace roost::testing::office_routes_test {
using ::testing::HasSubstr;

struct route {
  const char *method, *path;
  const char* permission; ///< empty: any signed-in user
};

/// Every route of the office with the permission that it requires.
constexpr std::array routes{
    route{"GET", "/api/account", "account_settings.module"},
    route{"PATCH", "/api/account", "account_settings.module"},
    route{"GET", "/api/ai", "account_settings.module"},
    route{"PUT", "/api/ai", "account_settings.module"},
    route{"GET", "/api/platforms", "channels.view"},
    route{"GET", "/api/platforms/{platform}/card", "channels.view"},
    route{"PUT", "/api/platforms/{platform}/card", "channels.edit"},
    route{"DELETE", "/api/platforms/{platform}/card", "channels.edit"},
    route{"GET", "/api/users", "users.manage"},
    route{"POST", "/api/users", "users.manage"},
    route{"GET", "/api/users/{userId}", "users.manage"},
    route{"PATCH", "/api/users/{userId}", "users.manage"},
    route{"DELETE", "/api/users/{userId}", "users.manage"},
    route{"GET", "/api/properties", "properties.view"},
    route{"POST", "/api/properties", "properties.edit"},
    route{"GET", "/api/properties/{propertyId}", "properties.view"},
    route{"PATCH", "/api/properties/{propertyId}", "properties.edit"},
    route{"DELETE", "/api/properties/{propertyId}", "properties.edit"},
    route{"GET", "/api/units", "listings.view"},
    route{"POST", "/api/units", "listings.edit"},
    route{"POST", "/api/units/import", "listings.edit"},
    route{"GET", "/api/units/{unitId}", "listings.view"},
    route{"PATCH", "/api/units/{unitId}", "listings.edit"},
    route{"DELETE", "/api/units/{unitId}", "listings.edit"},
    route{"POST", "/api/units/{unitId}/copy", "listings.edit"},
    route{"PUT", "/api/units/{unitId}/links/{platform}", "channels.edit"},
    route{"DELETE", "/api/units/{unitId}/links/{platform}", "channels.edit"},
    route{"PUT", "/api/units/{unitId}/exclusions/{platform}", "channels.edit"},
    route{"DELETE", "/api/units/{unitId}/exclusions/{platform}", "channels.edit"},
    route{"GET", "/api/units/{unitId}/export-address", "channels.view"},
    route{"POST", "/api/units/{unitId}/export-address", "channels.edit"},
    route{"GET", "/api/units/{unitId}/preview/{platform}", "channels.view"},
    route{"GET", "/api/units/{unitId}/blocks", "listings.view"},
    route{"POST", "/api/units/{unitId}/blocks", "listings.edit"},
    route{"GET", "/api/units/{unitId}/blocks/{blockId}", "listings.view"},
    route{"PATCH", "/api/units/{unitId}/blocks/{blockId}", "listings.edit"},
    route{"DELETE", "/api/units/{unitId}/blocks/{blockId}", "listings.edit"},
    route{"GET", "/api/units/{unitId}/calendars", "channels.view"},
    route{"POST", "/api/units/{unitId}/calendars", "channels.edit"},
    route{"GET", "/api/units/{unitId}/calendars/{calendarId}", "channels.view"},
    route{"PATCH", "/api/units/{unitId}/calendars/{calendarId}", "channels.edit"},
    route{"DELETE", "/api/units/{unitId}/calendars/{calendarId}", "channels.edit"},
    route{"POST", "/api/units/{unitId}/calendars/{calendarId}/fetch", "channels.edit"},
    route{"GET", "/api/calendar", "bookings.view"},
    route{"POST", "/api/quotes", "bookings.view"},
    route{"GET", "/api/bookings", "bookings.view"},
    route{"POST", "/api/bookings", "bookings.create"},
    route{"GET", "/api/bookings/{bookingId}", "bookings.view"},
    route{"PATCH", "/api/bookings/{bookingId}", "bookings.create"},
    route{"POST", "/api/bookings/{bookingId}/cancel", "bookings.cancel"},
    route{"GET", "/api/api-keys", "account_settings.module"},
    route{"POST", "/api/api-keys", "account_settings.module"},
    route{"GET", "/api/api-keys/{keyId}", "account_settings.module"},
    route{"DELETE", "/api/api-keys/{keyId}", "account_settings.module"},
    route{"GET", "/api/engine-keys", "account_settings.module"},
    route{"POST", "/api/engine-keys", "account_settings.module"},
    route{"GET", "/api/engine-keys/{keyId}", "account_settings.module"},
    route{"DELETE", "/api/engine-keys/{keyId}", "account_settings.module"},
    route{"GET", "/api/units/{unitId}/changes", "listings.view"},
    route{"GET", "/api/audit", "account_settings.module"},
    route{"GET", "/api/notifications", "bookings.view"},
    route{"POST", "/api/notifications/read", "bookings.view"},
    route{"GET", "/api/requests", "bookings.view"},
    route{"GET", "/api/tenants", "tenants.view"},
    route{"GET", "/api/tenants/{tenantId}", "tenants.view"},
    route{"PATCH", "/api/tenants/{tenantId}", "tenants.edit"},
    route{"POST", "/api/tenants/{tenantId}/erase", "tenants.edit"},
    route{"GET", "/api/payments", "finance.view"},
    route{"PUT", "/api/payments/{paymentId}/received", "finance.edit"},
    route{"DELETE", "/api/payments/{paymentId}/received", "finance.edit"},
    route{"GET", "/api/me", ""},
    route{"PATCH", "/api/me", ""},
    route{"GET", "/api/events", ""}};

bool has_body(const route& each) {
  const std::string_view path = each.path, method = each.method;
  if (path.find("exclusions") != std::string_view::npos || path.ends_with("export-address") ||
      path.ends_with("/erase"))
    return false;
  return method == "POST" || method == "PATCH" || method == "PUT";
}

/// Returns the path with ids that name nothing, so that no request changes anything.
std::string path_of(const route& each) {
  std::string path = each.path;
  for (const auto& [name, value] :
       {std::pair{"{platform}", "nowhere"}, std::pair{"{unitId}", "x"}, std::pair{"{propertyId}", "x"},
        std::pair{"{userId}", "x"}, std::pair{"{blockId}", "x"}, std::pair{"{calendarId}", "x"},
        std::pair{"{keyId}", "x"}, std::pair{"{bookingId}", "x"}, std::pair{"{tenantId}", "x"},
        std::pair{"{paymentId}", "x"}})
    if (const auto at = path.find(name); at != std::string::npos)
      path.replace(at, std::string_view(name).size(), value);
  return path;
}

ROOST_FOR_SQLITE(OfficeRoutes);

TEST_P(OfficeRoutes, AreTheDocumentedOnes) {
  const office_fixture office(GetParam());
  const auto document = send_request(office.server->port(), "GET", "/office-json").body;
  std::size_t documented = 0;
  for (auto at = document.find("\"operationId\""); at != std::string::npos;
       at = document.find("\"operationId\"", at + 1))
    ++documented;
  EXPECT_EQ(documented, routes.size()) << "add the new route to the table";
  for (const auto& each : routes) {
    std::string pointer = "/paths/", method = each.method;
    for (const char c : std::string_view(each.path))
      pointer += c == '/' ? std::string("~1") : std::string(1, c);
    std::ranges::transform(method, method.begin(), [](unsigned char c) { return std::tolower(c); });
    EXPECT_THAT(json_at(document, pointer + '/' + method), HasSubstr("operationId")) << each.path;
  }
}

TEST_P(OfficeRoutes, RequireExactlyTheirPermission) {
  std::set<std::string> permissions;
  for (const auto& each : routes) permissions.insert(each.permission);
  for (const auto& permission : permissions) {
    const auto granted = permission.empty() ? std::string("[]") : "[\"" + permission + "\"]";
    office_fixture office(GetParam(), {{"roles.Single", granted}},
                          {{account_pointer + "/users/0/role", R"("Single")"}});
    for (const auto& each : routes) {
      if (each.path == std::string("/api/events")) continue; // its response does not end
      const auto response = office.send(each.method, path_of(each), has_body(each) ? "{}" : "");
      const bool is_refused = !std::string_view(each.permission).empty() && each.permission != permission;
      EXPECT_EQ(response.status == 403, is_refused)
          << permission << ": " << each.method << ' ' << each.path << ' ' << response.body;
    }
  }
}

TEST_P(OfficeRoutes, RefuseCallersWhoAreNotSignedIn) {
  const office_fixture office(GetParam());
  for (const auto& each : routes)
    EXPECT_EQ(send_request(office.server->port(), each.method, path_of(each)).status, 401U)
        << each.method << ' ' << each.path;
}

} // namespace roost::testing::office_routes_test
