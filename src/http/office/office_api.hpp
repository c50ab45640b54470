#pragma once

#include "actors/calendars/calendar_keeper.hpp"
#include "actors/feeds/feed.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/office/office_events.hpp"
#include "actors/office/office_resources.hpp"
#include "actors/office/office_writer.hpp"
#include "http/management/management_api.hpp"
#include "http/office/event_streams.hpp"
#include "http/protocol/router.hpp"
#include "json/schema.hpp"
#include "portfolio/reader.hpp"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The office API: what a landlord's staff does (docs/office-api.md).
namespace roost::http {

/// The dependencies of the office's routes, which they outlive.
struct office_services {
  const management_services* management = nullptr;
  actors::storage_lane storage;
  actors::office_writer writer;
  actors::office_events events;
  std::shared_ptr<const actors::replication_position> followed;
  std::shared_ptr<http::event_streams> event_streams = std::make_shared<http::event_streams>();
  actors::calendar_keeper calendars; ///< reads imported calendars
  const actors::published<actors::directory>* directory = nullptr;
  std::vector<const actors::published<actors::feed_snapshot>*> lists;   ///< the last built ones, by platform
  portfolio::context configured;                                        ///< for reading bodies
  std::string tool_server;                                              ///< the default resource of API keys
  std::function<std::string(const domain::uuid& address)> calendar_url; ///< of an exported calendar

  /// For writes that hold no nights.
  actors::office_lane lane() const { return {storage, management->lease, writer}; }
  std::function<domain::uuid()> new_id;
};

/// A route of the office.
struct office_route {
  const char* method;
  const char* pattern;
  body_policy body = body_policy::none;
  const char* permission; ///< that the user's role must have; empty: none
  asio::awaitable<response> (*handle)(const office_services& services, request& req);
  const operation* documented;
  std::size_t max_body = 0; ///< see route
};

/// Returns routes with their checks. Users present an access token, as for the management routes, or the
/// session's cookie from a page of this origin: their other requests than GET need the header
/// `X-Roost-Request: 1`, which no other site can send.
std::vector<route> routes_for(const office_services& services, std::initializer_list<office_route> routes);

/// Returns what the caller may see.
store::office_scope scope_of(const request& req);
/// Returns what a user may see.
store::office_scope scope_of(const actors::known_user& user);

/// The 403 for a caller who may not do this.
error not_allowed();

/// Refuses owners with 403, for routes about the whole account: they see only their properties.
void refuse_owners(const request& req);

/// Returns the caller as the author of a write.
store::office_author author_of(const office_services& services, const request& req, std::string action,
                               std::string subject, std::string detail);

/// Returns the id in the path; nullopt for any other text, which names nothing.
std::optional<domain::uuid> id_in_path(const request& req, std::size_t parameter);

/// Returns the platform whose name is in the path. Throws not_found().
const domain::platform& platform_in_path(const office_services& services, const request& req,
                                         std::size_t parameter);

/// Returns the routes of blocked nights.
std::vector<route> block_routes(const office_services& services);
/// Returns the routes of units, of tables of them, of their links, exclusions and export addresses, and of
/// previews.
std::vector<route> unit_routes(const office_services& services);
std::vector<route> unit_import_routes(const office_services& services);
std::vector<route> unit_part_routes(const office_services& services);
std::vector<route> preview_routes(const office_services& services);
/// Returns the routes of imported calendars.
std::vector<route> imported_calendar_routes(const office_services& services);
/// Returns the route of the calendar of all units.
std::vector<route> calendar_window_routes(const office_services& services);
/// Returns the routes of properties.
std::vector<route> property_routes(const office_services& services);
/// Returns the routes of the account and of its platform cards.
std::vector<route> account_routes(const office_services& services);
/// Returns the routes of what assistants may do, and of the budget for AI calls.
std::vector<route> ai_routes(const office_services& services);
/// Returns the route of what platforms read and request.
std::vector<route> platform_routes(const office_services& services);
/// Returns the routes of the account's users.
std::vector<route> user_routes(const office_services& services);
/// Returns the routes of the signed-in user's own settings.
std::vector<route> me_routes(const office_services& services);
/// Returns the routes of API keys and of the booking engine's account keys.
std::vector<route> key_routes(const office_services& services);
/// Returns the routes of the audit log and of units' changelogs.
std::vector<route> history_routes(const office_services& services);
/// Returns the route of the event stream.
std::vector<route> event_routes(const office_services& services);

/// Adds the schemas that the operations of all routes of the office name.
void add_office_schemas(json::schemas& to);
/// Adds those of these routes.
void add_block_schemas(json::schemas& to);
void add_unit_schemas(json::schemas& to);
void add_unit_import_schemas(json::schemas& to);
void add_unit_part_schemas(json::schemas& to);
void add_preview_schemas(json::schemas& to);
void add_imported_calendar_schemas(json::schemas& to);
void add_calendar_window_schemas(json::schemas& to);
void add_property_schemas(json::schemas& to);
void add_account_schemas(json::schemas& to);
void add_ai_schemas(json::schemas& to);
void add_platform_schemas(json::schemas& to);
void add_user_schemas(json::schemas& to);
void add_me_schemas(json::schemas& to);
void add_key_schemas(json::schemas& to);
void add_history_schemas(json::schemas& to);

} // namespace roost::http
