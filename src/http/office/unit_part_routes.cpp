#include "domain/mapping.hpp"
#include "http/office/resource_routes.hpp"
#include "http/office/unit_objects.hpp"
#include "json/object.hpp"
#include "security/random.hpp"

#include <algorithm>

namespace roost::http {

namespace {

using domain::portfolio_unit;

using unit_resource = resource_routes<described_unit>;

struct link_body {
  std::string url;
};
constexpr auto link_body_object = portfolio::record<link_body>(
    portfolio::field("url", portfolio::kind::text{.max_length = 2'048, .may_be_blank = true}, &link_body::url,
                     "The unit's URL on the platform, as copied from the browser"));

/// Reads the link that a pasted URL stands for. Throws bad_request.
domain::link read_link(const office_services& services, const request& req) {
  const auto& platform = platform_in_path(services, req, 1);
  link_body body;
  read_whole(req.body, link_body_object, body, services.configured);
  auto id = domain::external_id_from_url(platform, body.url);
  if (const auto* problem = std::get_if<domain::mapping_problem>(&id))
    throw bad_request("url " + problem->text);
  domain::link link{platform.name, std::get<std::string>(std::move(id)), body.url};
  if (const auto problem = domain::link_problem(platform, link.external_id); !problem.empty())
    throw bad_request("url " + std::string(problem));
  return link;
}

const domain::link* find_link(const portfolio_unit& unit, const std::string& platform) {
  const auto link = std::ranges::find(unit.links, platform, &domain::link::platform);
  return link == unit.links.end() ? nullptr : &*link;
}

bool is_excluded(const portfolio_unit& unit, const std::string& platform) {
  return std::ranges::find(unit.excluded_from, platform) != unit.excluded_from.end();
}

/// Returns the condition of a write: If-Match names the unit's state; `If-None-Match: *` means that the part
/// does not exist yet.
store::office_condition<portfolio_unit> part_condition(const request& req,
                                                       std::function<bool(const portfolio_unit&)> exists) {
  if (exists && req.only("if-none-match") == "*")
    return [exists = std::move(exists)](const portfolio_unit& unit) { return !exists(unit); };
  return unit_resource::condition_of(req);
}

using edit_function = std::function<void(portfolio_unit&)>;

/// Changes a part of a unit and returns the unit.
asio::awaitable<portfolio_unit> store_part(const office_services& services, request& req, std::string action,
                                           store::office_condition<portfolio_unit> is_current,
                                           edit_function edit) {
  const auto id = unit_resource::id_of(req);
  auto author = author_of(services, req, std::move(action), domain::to_string(id), {});
  store::office_change<portfolio_unit> change{id, std::move(is_current), {}};
  change.apply = [edit = std::move(edit)](portfolio_unit& unit) {
    const auto before = unit;
    edit(unit);
    return store::office_edit{{}, changes_between(office_unit_object, &before, unit)};
  };
  std::function<store::office_outcome<portfolio_unit>(store::session&, const store::lease&)> work =
      [scope = scope_of(req), change = std::move(change),
       author = std::move(author)](store::session& db, const store::lease& held) {
        return store::change_unit(db, held, scope, change, author);
      };
  auto lane = services.lane();
  auto done = co_await actors::write_for_office(std::move(lane), std::move(work));
  unit_resource::throw_if_refused(req, done);
  co_return std::move(done.resource);
}

/// Changes a part of a unit and responds with the unit.
asio::awaitable<response> change_part(const office_services& services, request& req, std::string action,
                                      store::office_condition<portfolio_unit> is_current,
                                      edit_function edit) {
  auto stored = store_part(services, req, std::move(action), std::move(is_current), std::move(edit));
  const auto unit = co_await std::move(stored);
  co_return respond_with(200, office_unit_object, unit);
}

asio::awaitable<response> put_link(const office_services& services, request& req) {
  auto link = read_link(services, req);
  auto condition = part_condition(
      req, [name = link.platform](const portfolio_unit& unit) { return find_link(unit, name) != nullptr; });
  edit_function edit = [link = std::move(link)](portfolio_unit& unit) {
    std::erase_if(unit.links, [&](const domain::link& each) { return each.platform == link.platform; });
    unit.links.push_back(link);
    std::ranges::sort(unit.links, {}, &domain::link::platform);
  };
  return change_part(services, req, "unit link", std::move(condition), std::move(edit));
}

asio::awaitable<response> erase_link(const office_services& services, request& req) {
  const auto& name = platform_in_path(services, req, 1).name;
  edit_function edit = [name](portfolio_unit& unit) {
    std::erase_if(unit.links, [&](const domain::link& each) { return each.platform == name; });
  };
  return change_part(services, req, "unit link deletion", part_condition(req, {}), std::move(edit));
}

asio::awaitable<response> put_exclusion(const office_services& services, request& req) {
  const auto& name = platform_in_path(services, req, 1).name;
  auto condition =
      part_condition(req, [name](const portfolio_unit& unit) { return is_excluded(unit, name); });
  edit_function edit = [name](portfolio_unit& unit) {
    if (is_excluded(unit, name)) return;
    unit.excluded_from.push_back(name);
    std::ranges::sort(unit.excluded_from);
  };
  return change_part(services, req, "unit exclusion", std::move(condition), std::move(edit));
}

asio::awaitable<response> erase_exclusion(const office_services& services, request& req) {
  const auto& name = platform_in_path(services, req, 1).name;
  edit_function edit = [name](portfolio_unit& unit) { std::erase(unit.excluded_from, name); };
  return change_part(services, req, "unit exclusion deletion", part_condition(req, {}), std::move(edit));
}

/// Where a unit's calendar is exported.
struct export_address {
  domain::uuid address{};
  std::string url;
};

constexpr auto export_address_object = json::object<export_address>(
    "UnitExportAddress", json::member("address", &export_address::address, "The UUID in the URL"),
    json::member("url", &export_address::url, "The calendar's URL. Anyone who has it can read the calendar"));

/// Returns the address with the unit's ETag.
response respond_with_address(const office_services& services, const portfolio_unit& unit) {
  const auto& address = domain::export_address_of(unit.terms);
  auto result = json(200, json::text_of(export_address_object, {address, services.calendar_url(address)}));
  result.fields.emplace_back("ETag", tag_of(office_unit_object, unit));
  return result;
}

asio::awaitable<response> show_export_address(const office_services& services, request& req) {
  const auto id = unit_resource::id_of(req);
  std::function<std::optional<portfolio_unit>(store::session&)> find =
      [scope = scope_of(req), id](store::session& db) { return store::find_unit(db, scope, id); };
  const auto unit = co_await actors::in_store(services.storage, "office_read", std::move(find));
  if (!unit) throw unit_resource::missing();
  co_return respond_with_address(services, *unit);
}

/// Requires the unit's ETag: a repeated request would otherwise end the address that the first one made.
asio::awaitable<response> renew_export_address(const office_services& services, request& req) {
  edit_function edit = [address = security::random_uuid()](portfolio_unit& unit) {
    unit.terms.export_address = address;
  };
  auto condition = unit_resource::condition_of(req);
  auto stored = store_part(services, req, "unit export address", std::move(condition), std::move(edit));
  const auto unit = co_await std::move(stored);
  co_return respond_with_address(services, unit);
}

} // namespace

std::vector<route> unit_part_routes(const office_services& services) {
  static const documented_resource documented{"Unit", "unit", "units", "channels.view", "channels.edit", {}};
  const auto operation_of = [](std::string_view id, std::string_view summary, std::string_view body) {
    return operation{.id = id,
                     .summary = summary,
                     .body_schema = body,
                     .responses = change_responses(documented),
                     .headers = {if_match_header}};
  };
  static const operation put = with_creation(operation_of(
                             "putUnitLink", "Links the unit to a platform, by the URL of its page there",
                             "UnitLink")),
                         erase = operation_of("deleteUnitLink", "Ends the unit's link to a platform", ""),
                         exclude = with_creation(operation_of(
                             "putUnitExclusion", "Excludes the unit from a platform's feed", "")),
                         include = operation_of("deleteUnitExclusion",
                                                "Ends the unit's exclusion from a platform's feed", "");
  static const operation show_address{
      .id = "getUnitExportAddress",
      .summary = "Returns the URL of the unit's calendar export, with the unit's ETag",
      .responses = {{200, "The address", "UnitExportAddress"},
                    {403, "The role lacks channels.view", "Error"},
                    {404, "There is no such unit", "Error", false, {}, "There is no such unit"}}};
  static const operation renew_address = [] {
    operation renew{.id = "renewUnitExportAddress",
                    .summary = "Gives the calendar export a new URL; the old one is not found any more",
                    .responses = change_responses(documented),
                    .headers = {if_match_header}};
    renew.responses.front() = {200, "The new address", "UnitExportAddress"};
    return renew;
  }();
  constexpr auto link = "/api/units/{unitId}/links/{platform}",
                 exclusion = "/api/units/{unitId}/exclusions/{platform}",
                 address = "/api/units/{unitId}/export-address";
  constexpr auto may_edit = "channels.edit";
  using enum body_policy;
  return routes_for(services, {{"PUT", link, body_policy::json, may_edit, put_link, &put},
                               {"DELETE", link, none, may_edit, erase_link, &erase},
                               {"PUT", exclusion, none, may_edit, put_exclusion, &exclude},
                               {"DELETE", exclusion, none, may_edit, erase_exclusion, &include},
                               {"GET", address, none, "channels.view", show_export_address, &show_address},
                               {"POST", address, none, may_edit, renew_export_address, &renew_address}});
}

void add_unit_part_schemas(json::schemas& to) {
  to.add("UnitLink", json::schema_of(link_body_object));
  to.add(export_address_object);
}

} // namespace roost::http
