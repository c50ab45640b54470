#include "actors/office/office_resources.hpp"
#include "http/office/card_objects.hpp"
#include "http/office/office_api.hpp"
#include "http/office/platform_state.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::http {

namespace {

using portfolio::field, portfolio::record;
namespace kind = portfolio::kind;

/// A number that is only written.
struct stored_count {
  constexpr json::facts schema_facts() const { return {.type = "integer", .minimum = 0}; }
};

template <auto... Steps>
constexpr auto in_platform = portfolio::via(Steps...);

constexpr auto counted_reason_object = record<counted_reason>(
    field("code", stored_text{}, &counted_reason::code, "The code of a reason of previews"),
    field("text", stored_text{}, &counted_reason::text, "For people"),
    field("units", stored_count{}, &counted_reason::units,
          "Withheld units with this reason, and maybe others"));

constexpr auto mapping_problem_object =
    record<mapping_problem>(field("unitId", kind::id, &mapping_problem::unit_id, "The linked unit"),
                            field("unitName", stored_text{}, &mapping_problem::unit_name, ""),
                            field("code", stored_text{}, &mapping_problem::code, "For programs"),
                            field("text", stored_text{}, &mapping_problem::text, "For people"));

constexpr auto requests_object = record<store::decided_requests>(
    field("day", stored_count{}, &store::decided_requests::day, "In the last 24 hours"),
    field("week", stored_count{}, &store::decided_requests::week, "In the last 7 days"));

constexpr auto platform_object = record<office_platform>(
    field("name", stored_text{}, &office_platform::name, "In the configuration, and in paths"),
    field("card", kind::object{office_card_object}, &office_platform::card, "null: none"),
    field("linked", stored_count{}, in_platform<&office_platform::units, &unit_counts::linked>,
          "Units that are linked to it; all units on the landlord's own platform"),
    field("published", stored_count{}, in_platform<&office_platform::units, &unit_counts::published>,
          "Linked units that are published now; its list follows when it is built again"),
    field("withheld", stored_count{}, in_platform<&office_platform::units, &unit_counts::withheld>,
          "Linked units that are withheld from it now"),
    field("reasons", kind::list{counted_reason_object},
          in_platform<&office_platform::units, &unit_counts::reasons>,
          "Why, with the number of units; a unit may have several reasons"),
    field("lastRead", kind::moment,
          in_platform<&office_platform::activity, &store::platform_activity::last_use>,
          "The platform's last request with its token, about any landlord, to the minute; null: none"),
    field("listBuiltAt", kind::moment, &office_platform::list_built_at,
          "The list of all landlords that it reads now; null: none"),
    field("listAgeSeconds", stored_count{}, &office_platform::list_age, "Its age by the server's clock"),
    field("submissions", kind::object{requests_object},
          in_platform<&office_platform::activity, &store::platform_activity::submissions>,
          "Requests that were booked or refused"),
    field("refusals", kind::object{requests_object},
          in_platform<&office_platform::activity, &store::platform_activity::refusals>,
          "Requests that were refused"),
    field("mappingProblems", kind::list{mapping_problem_object},
          in_platform<&office_platform::units, &unit_counts::mapping_problems>,
          "Links that do not lead every request to their unit"),
    field("etag", stored_text{}, &office_platform::card_tag, "Of the card, for If-Match; null: no card"));

/// Returns the platforms after the one that a cursor names. Throws invalid_cursor().
std::span<const office_platform> platforms_after(std::span<const office_platform> all,
                                                 const std::optional<std::vector<std::string>>& place) {
  if (!place) return all;
  const auto last = std::ranges::find(all, place->front(), &office_platform::name);
  if (last == all.end()) throw invalid_cursor();
  return all.subspan(static_cast<std::size_t>(last - all.begin()) + 1);
}

asio::awaitable<response> list_platforms(const office_services& services, request& req) {
  refuse_owners(req);
  query_reader query(req.query, {"limit", "after"});
  const auto limit = read_list_limit(query);
  const auto place = read_cursor(query, 1);
  query.throw_if_refused();
  auto read = read_platforms(services, scope_of(req));
  const auto platforms = co_await actors::in_store(services.storage, "office_read", std::move(read));
  if (!platforms) throw busy();
  if (wants_csv(req)) {
    const auto add = rows_of(platform_object);
    csv_table table;
    add(table, nullptr);
    for (const auto& each : *platforms) add(table, &each);
    co_return std::move(table).to_response("platforms");
  }
  const auto rest = platforms_after(*platforms, place), page = rest.first(std::min(limit, rest.size()));
  std::vector<std::string> items;
  for (const auto& each : page) items.push_back(object_json(platform_object, each));
  const auto next = page.size() < rest.size() ? cursor_of({page.back().name}) : std::string{};
  co_return json(200, list_json(items, next, static_cast<std::int64_t>(platforms->size())));
}

const operation platforms_operation{
    .id = "listPlatforms",
    .summary = "Returns the configured platforms, with what they read and request of the account",
    .responses = {{200, "A page of platforms, or all of them as CSV", "PlatformPage"},
                  {403, "The role lacks channels.view, or is Owner", "Error"}},
    .queries = {limit_query, after_query}};

} // namespace

std::vector<route> platform_routes(const office_services& services) {
  return routes_for(services, {{"GET", "/api/platforms", body_policy::none, "channels.view", list_platforms,
                                &platforms_operation}});
}

void add_platform_schemas(json::schemas& to) {
  to.add("Platform", json::schema_of(platform_object));
  add_page_schema(to, "Platform", "PlatformPage");
}

} // namespace roost::http
