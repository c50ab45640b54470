#pragma once

#include <array>

/// Every route of the office, with what its tests expect of it.
namespace roost::testing {

/// The resource in a route's path; of a route without one, the resource that its body or its list names.
enum class office_kind {
  nothing,
  account,
  ai,
  me,
  card,
  user,
  property,
  unit,
  linked_unit, ///< with a link and an exclusion
  block,
  calendar,
  booking_by_hand,
  tenant,
  payment,
  request,
  notification,
  api_key,
  engine_key,
};

/// In place of a status: the route is also open to this caller, but shows nothing of the resource.
constexpr unsigned shows_own = 1;

/// The status that callers get who must not see the resource.
struct refusals {
  unsigned stranger = 0; ///< a user of another account, who has all permissions
  unsigned owner = 0;    ///< a user of the role Owner with all permissions, to whom no property belongs
};

enum class precondition {
  none,
  if_match,
  if_match_or_none, ///< or `If-None-Match: *` if the resource does not exist yet
};

/// Whether the id of a creation can be used again.
enum class id_reuse {
  no_creation,
  never_deleted,
  after_deletion,
  never, ///< the resource is ended, but its id stays taken
};

/// A request that succeeds, and what it leaves. In texts, `{id}` stands for the id of the resource, `{new}`
/// for a new UUID and `{n}` for a number that no other request has.
struct office_write {
  const char* body = "";
  unsigned status = 200;
  precondition condition = precondition::none;
  const char* action = "";      ///< of the audit entry; empty: there is none
  unsigned events = 1;          ///< on the account's event stream
  const char* other_name = "";  ///< of a creation: a member that another request has
  const char* other_value = ""; ///< and its value there
  id_reuse reuse = id_reuse::no_creation;
};

struct office_route {
  const char *method, *path;
  const char* permission; ///< empty: any signed-in user
  office_kind about;
  refusals others; ///< none: `exempt` says why
  office_write write = {};
  const char* query = "";  ///< of a GET
  const char* exempt = ""; ///< why the route is in no test of these rules
};

namespace office_route_table {

using enum office_kind;
using enum precondition;
using enum id_reuse;

constexpr refusals hidden{404, 404}, account_wide{shows_own, 403}, list{shows_own, shows_own};
constexpr const char *settings = "account_settings.module", *whole_list = "?limit=200";

constexpr office_route reads(const char* path, const char* permission, office_kind about, refusals others,
                             const char* query = "") {
  return {"GET", path, permission, about, others, {}, query};
}

constexpr office_route writes(const char* method, const char* path, const char* permission, office_kind about,
                              refusals others, office_write write) {
  return {method, path, permission, about, others, write};
}

/// Every route of the office.
constexpr auto office_routes = [] {
  return std::array{
      reads("/api/account", settings, account, account_wide),
      writes("PATCH", "/api/account", settings, account, account_wide,
             {.body = R"({"companyName":"Casa {n}"})", .condition = if_match, .action = "account change"}),
      reads("/api/ai", settings, ai, account_wide),
      writes(
          "PUT", "/api/ai", settings, ai, account_wide,
          {.body = R"({"budget":{"monthly":{n}}})", .condition = if_match, .action = "AI settings change"}),
      reads("/api/platforms", "channels.view", card, account_wide, whole_list),
      reads("/api/platforms/{platform}/card", "channels.view", card, account_wide),
      writes("PUT", "/api/platforms/{platform}/card", "channels.edit", card, account_wide,
             {.body = R"({"integrationEmail":"feeds{n}@casaverde.example"})",
              .condition = if_match_or_none,
              .action = "card change"}),
      writes("DELETE", "/api/platforms/{platform}/card", "channels.edit", card, account_wide,
             {.status = 204, .condition = if_match, .action = "card deletion"}),
      reads("/api/users", "users.manage", user, account_wide, whole_list),
      writes("POST", "/api/users", "users.manage", nothing, {409, 403},
             {.body = R"({"id":"{new}","email":"new{n}@casaverde.example","role":"Viewer"})",
              .status = 201,
              .action = "user creation",
              .other_name = "/firstName",
              .other_value = R"("Bia")",
              .reuse = after_deletion}),
      reads("/api/users/{userId}", "users.manage", user, {404, 403}),
      writes("PATCH", "/api/users/{userId}", "users.manage", user, {404, 403},
             {.body = R"({"firstName":"Bia {n}"})", .condition = if_match, .action = "user change"}),
      writes("DELETE", "/api/users/{userId}", "users.manage", user, {404, 403},
             {.status = 204, .condition = if_match, .action = "user deletion"}),
      reads("/api/properties", "properties.view", property, list, whole_list),
      writes("POST", "/api/properties", "properties.edit", nothing, {409, 409},
             {.body = R"({"id":"{new}","internalName":"Rua {n}","units":[{"internalName":"Rua {n} A"}]})",
              .status = 201,
              .action = "property creation",
              .other_name = "/internalName",
              .other_value = R"("Rua Nova")",
              .reuse = after_deletion}),
      reads("/api/properties/{propertyId}", "properties.view", property, hidden),
      writes("PATCH", "/api/properties/{propertyId}", "properties.edit", property, hidden,
             {.body = R"({"internalName":"Rua {n}"})", .condition = if_match, .action = "property change"}),
      writes("DELETE", "/api/properties/{propertyId}", "properties.edit", property, hidden,
             {.status = 204, .condition = if_match, .action = "property deletion"}),
      reads("/api/units", "listings.view", unit, list, whole_list),
      writes("POST", "/api/units", "listings.edit", property, {409, 409},
             {.body = R"({"id":"{new}","propertyId":"{id}","internalName":"New {n}"})",
              .status = 201,
              .action = "unit creation",
              .other_name = "/capacity",
              .other_value = "7",
              .reuse = after_deletion}),
      writes("POST", "/api/units/import", "listings.edit", unit, {400, 400},
             {.body = "id,internalName\n{id},Table {n}\n", .action = "unit change"}),
      reads("/api/units/{unitId}", "listings.view", unit, hidden),
      writes("PATCH", "/api/units/{unitId}", "listings.edit", unit, hidden,
             {.body = R"({"internalName":"Attic {n}"})", .condition = if_match, .action = "unit change"}),
      writes("DELETE", "/api/units/{unitId}", "listings.edit", unit, hidden,
             {.status = 204, .condition = if_match, .action = "unit deletion"}),
      writes("POST", "/api/units/{unitId}/copy", "listings.edit", unit, hidden,
             {.body = R"({"id":"{new}","internalName":"Copy {n}"})",
              .status = 201,
              .action = "unit creation",
              .other_name = "/internalName",
              .other_value = R"("Another copy")",
              .reuse = after_deletion}),
      writes("PUT", "/api/units/{unitId}/links/{platform}", "channels.edit", unit, hidden,
             {.body = R"({"url":"https://www.marketplace-a.example/rooms/new-{n}"})",
              .condition = if_match_or_none,
              .action = "unit link"}),
      writes("DELETE", "/api/units/{unitId}/links/{platform}", "channels.edit", linked_unit, hidden,
             {.condition = if_match, .action = "unit link deletion"}),
      writes("PUT", "/api/units/{unitId}/exclusions/{platform}", "channels.edit", unit, hidden,
             {.condition = if_match_or_none, .action = "unit exclusion"}),
      writes("DELETE", "/api/units/{unitId}/exclusions/{platform}", "channels.edit", linked_unit, hidden,
             {.condition = if_match, .action = "unit exclusion deletion"}),
      reads("/api/units/{unitId}/export-address", "channels.view", unit, hidden),
      writes("POST", "/api/units/{unitId}/export-address", "channels.edit", unit, hidden,
             {.condition = if_match, .action = "unit export address"}),
      reads("/api/units/{unitId}/preview/{platform}", "channels.view", unit, hidden),
      reads("/api/units/{unitId}/blocks", "listings.view", block, hidden),
      writes("POST", "/api/units/{unitId}/blocks", "listings.edit", unit, hidden,
             {.body = R"({"id":"{new}","from":"2099-02-01","to":"2099-02-10"})",
              .status = 201,
              .action = "block creation",
              .other_name = "/note",
              .other_value = R"("Roof")",
              .reuse = after_deletion}),
      reads("/api/units/{unitId}/blocks/{blockId}", "listings.view", block, hidden),
      writes("PATCH", "/api/units/{unitId}/blocks/{blockId}", "listings.edit", block, hidden,
             {.body = R"({"note":"Roof {n}"})", .condition = if_match, .action = "block change"}),
      writes("DELETE", "/api/units/{unitId}/blocks/{blockId}", "listings.edit", block, hidden,
             {.status = 204, .condition = if_match, .action = "block deletion"}),
      reads("/api/units/{unitId}/calendars", "channels.view", calendar, hidden),
      writes("POST", "/api/units/{unitId}/calendars", "channels.edit", unit, hidden,
             {.body = R"({"id":"{new}","name":"Paper","ics":"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"})",
              .status = 201,
              .action = "calendar creation",
              .other_name = "/name",
              .other_value = R"("Ink")",
              .reuse = after_deletion}),
      reads("/api/units/{unitId}/calendars/{calendarId}", "channels.view", calendar, hidden),
      writes("PATCH", "/api/units/{unitId}/calendars/{calendarId}", "channels.edit", calendar, hidden,
             {.body = R"({"name":"Paper {n}"})", .condition = if_match, .action = "calendar change"}),
      writes("DELETE", "/api/units/{unitId}/calendars/{calendarId}", "channels.edit", calendar, hidden,
             {.status = 204, .condition = if_match, .action = "calendar deletion"}),
      writes("POST", "/api/units/{unitId}/calendars/{calendarId}/fetch", "channels.edit", calendar, hidden,
             {.body = "{}", .events = 0}), // nothing has changed
      reads("/api/calendar", "bookings.view", unit, list, "?from=2099-01-01&to=2099-12-31&limit=200"),
      writes("POST", "/api/quotes", "bookings.view", unit, {400, 400},
             {.body = R"({"unitId":"{id}","checkInDate":"2099-02-01","checkOutDate":"2099-03-01",)"
                      R"("occupants":1})",
              .events = 0}),
      reads("/api/bookings", "bookings.view", booking_by_hand, list, whole_list),
      writes("POST", "/api/bookings", "bookings.create", unit, {409, 409},
             {.body = R"({"id":"{new}","unitId":"{id}","checkInDate":"2099-02-01",)"
                      R"("checkOutDate":"2099-03-01","occupants":1,)"
                      R"("tenant":{"firstName":"Ida","email":"ida{n}@guests.example"}})",
              .status = 201,
              .action = "booking creation",
              .other_name = "/occupants",
              .other_value = "2",
              .reuse = never_deleted}),
      reads("/api/bookings/{bookingId}", "bookings.view", booking_by_hand, hidden),
      writes("PATCH", "/api/bookings/{bookingId}", "bookings.create", booking_by_hand, hidden,
             {.body = R"({"checkOutDate":"2099-04-01"})", .condition = if_match, .action = "booking change"}),
      writes("POST", "/api/bookings/{bookingId}/cancel", "bookings.cancel", booking_by_hand, hidden,
             {.body = R"({"reason":"Ill"})", .condition = if_match, .action = "booking cancel"}),
      reads("/api/api-keys", settings, api_key, account_wide, whole_list),
      writes("POST", "/api/api-keys", settings, user, {400, 403},
             {.body = R"({"id":"{new}","name":"CRM","userId":"{id}"})",
              .status = 201,
              .action = "API key creation",
              .events = 0,
              .other_name = "/name",
              .other_value = R"("Sheet")",
              .reuse = never}),
      reads("/api/api-keys/{keyId}", settings, api_key, {404, 403}),
      writes("DELETE", "/api/api-keys/{keyId}", settings, api_key, {404, 403},
             {.status = 204, .condition = if_match, .action = "API key deletion", .events = 0}),
      reads("/api/engine-keys", settings, engine_key, account_wide, whole_list),
      writes("POST", "/api/engine-keys", settings, nothing, {409, 403},
             {.body = R"({"id":"{new}","name":"Engine"})",
              .status = 201,
              .action = "engine key creation",
              .events = 0,
              .other_name = "/name",
              .other_value = R"("Manager")",
              .reuse = never}),
      reads("/api/engine-keys/{keyId}", settings, engine_key, {404, 403}),
      writes("DELETE", "/api/engine-keys/{keyId}", settings, engine_key, {404, 403},
             {.status = 204, .condition = if_match, .action = "engine key deletion", .events = 0}),
      reads("/api/units/{unitId}/changes", "listings.view", unit, hidden),
      reads("/api/audit", settings, unit, account_wide, whole_list),
      reads("/api/notifications", "bookings.view", notification, list, whole_list),
      writes("POST", "/api/notifications/read", "bookings.view", notification, hidden,
             {.body = R"({"ids":["{id}"]})", .status = 204, .events = 0}),
      reads("/api/requests", "bookings.view", request, list, whole_list),
      reads("/api/tenants", "tenants.view", tenant, list, whole_list),
      reads("/api/tenants/{tenantId}", "tenants.view", tenant, hidden),
      writes("PATCH", "/api/tenants/{tenantId}", "tenants.edit", tenant, {404, 403},
             {.body = R"({"lastName":"Berg {n}"})", .condition = if_match, .action = "tenant change"}),
      writes("POST", "/api/tenants/{tenantId}/erase", "tenants.edit", tenant, {404, 403},
             {.action = "tenant erase"}),
      reads("/api/payments", "finance.view", payment, list, whole_list),
      writes("PUT", "/api/payments/{paymentId}/received", "finance.edit", payment, hidden,
             {.body = R"({"date":"2026-11-01","amount":2})",
              .condition = if_match_or_none,
              .action = "payment receipt"}),
      writes("DELETE", "/api/payments/{paymentId}/received", "finance.edit", payment, hidden,
             {.status = 204, .condition = if_match, .action = "payment receipt"}),
      reads("/api/me", "", me, list),
      writes(
          "PATCH", "/api/me", "", me, list,
          {.body = R"({"preferences":{"language":"en"}})", .condition = if_match, .action = "user change"}),
      office_route{.method = "GET",
                   .path = "/api/events",
                   .permission = "",
                   .about = nothing,
                   .others = {},
                   .exempt = "its response does not end: see events_test.cpp"}};
}();

} // namespace office_route_table

using office_route_table::office_routes;

} // namespace roost::testing
