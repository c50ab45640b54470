#include "http/office/publication_reasons.hpp"
#include "http/office/resource_routes.hpp"
#include "http/office/unit_objects.hpp"
#include "listings/publication.hpp"

#include <algorithm>

namespace roost::http {

namespace {

using domain::portfolio_unit;

struct unit_kind : described_unit {
  static domain::uuid& id_of(portfolio_unit& unit) { return unit.terms.id; }
  static portfolio_unit blank() { return {}; }
  static constexpr auto find = store::find_unit;
  static constexpr auto create = store::create_unit;
  static constexpr auto change = store::change_unit;
  static constexpr auto erase = store::delete_unit;
};
using unit_handlers = resource_routes<unit_kind>;

/// Returns whether a platform publishes the unit if its rent is usable.
bool may_be_published_on(const domain::platform& on, std::size_t platform, const actors::unit_setup& unit) {
  const bool is_read = domain::traits_of(on).is_single_landlord ? reads_all_units(on, unit.account->id)
                                                                : !unit.linked_id(platform).empty();
  return is_read && !listings::is_withheld(unit.terms, *unit.property, unit.excluded_from[platform]) &&
         listings::accepts_region(on, *unit.property);
}

/// Returns the ids of the account's units that are published on a platform, or on any, if their rents are
/// usable: memory's directory may not have the newest rents.
store::unit_id_set units_to_publish(const office_services& services, const domain::uuid& account,
                                    const std::optional<std::string>& name) {
  store::unit_id_set published;
  const auto directory = services.directory->get();
  const auto* owner = directory ? directory->find_account(account) : nullptr;
  if (owner == nullptr) throw busy(); // memory is being loaded
  const auto& platforms = services.configured.platforms;
  for (const auto& unit : owner->units)
    for (std::size_t i = 0; i < platforms.size(); ++i)
      if ((!name || platforms[i].name == *name) && may_be_published_on(platforms[i], i, *unit.setup))
        published.insert(unit.id());
  return published;
}

std::optional<domain::uuid> parse_id(std::string_view text) { return domain::parse_uuid(text); }

/// Which units a list has.
struct units_query {
  store::unit_filter stored;
  std::optional<bool> published;
  store::unit_id_set to_publish; ///< units_to_publish()
};

units_query read_filter(const office_services& services, const request& req, query_reader& query) {
  units_query wanted;
  auto& filter = wanted.stored;
  filter.property_id = query.value("property", parse_id, " must be a UUID");
  filter.archived = query.value("archived", parse_flag, " must be true or false");
  filter.platform = query.value("platform", parse_storable, storable_rule);
  filter.text = query.text("q").value_or("");
  wanted.published = query.value("published", parse_flag, " must be true or false");
  query.throw_if_refused();
  const auto account = scope_of(req).account_id;
  if (wanted.published) wanted.to_publish = units_to_publish(services, account, filter.platform);
  const auto& platforms = services.configured.platforms;
  const auto named = std::ranges::find(platforms, filter.platform.value_or(""), &domain::platform::name);
  if (named != platforms.end() && reads_all_units(*named, account)) filter.platform.reset();
  return wanted;
}

asio::awaitable<response> list_units(const office_services& services, request& req) {
  query_reader query(req.query, {"limit", "after", "property", "archived", "platform", "published", "q"});
  auto page = read_list_parameters(query);
  unit_handlers::list_reader read = [scope = scope_of(req), wanted = read_filter(services, req, query)](
                                        store::session& db, const auto& after, std::size_t limit) {
    auto filter = wanted.stored;
    if (wanted.published)
      filter.includes = [&, unpriced = store::units_without_rent(db, scope.account_id)](const auto& id) {
        return (wanted.to_publish.contains(id) && !unpriced.contains(id)) == *wanted.published;
      };
    return store::list_units(db, scope, filter, after, limit);
  };
  return unit_handlers::list(services, req, std::move(page), std::move(read));
}

/// The body of a copy.
struct copy_body {
  std::string name;
  domain::uuid id{};
};
constexpr auto copy_object = portfolio::record<copy_body>(
    portfolio::field("internalName", portfolio::kind::name, &copy_body::name, "Unique in the account"),
    portfolio::field("id", portfolio::kind::id, &copy_body::id, "The copy's UUID", portfolio::optional));

/// Creates a copy under another name, without links, exclusions and blocks.
asio::awaitable<response> copy_unit(const office_services& services, request& req) {
  copy_body requested;
  read_whole(req.body, copy_object, requested, services.configured);
  const auto id = unit_handlers::id_of(req);
  std::function<std::optional<portfolio_unit>(store::session&)> find =
      [scope = scope_of(req), id](store::session& db) { return store::find_unit(db, scope, id); };
  auto original = co_await actors::in_store(services.storage, "office_read", std::move(find));
  if (!original) throw unit_handlers::missing();
  original->links.clear();
  original->excluded_from.clear();
  original->blocks.clear();
  original->terms.internal_name = requested.name;
  original->terms.id = requested.id;
  original->terms.export_address.reset();
  original->terms.created_at = original->terms.updated_at = {};
  for (auto& rent : original->terms.rent.per_month) rent.created_at = rent.updated_at = {};
  const auto request_text = "copy of " + domain::to_string(id) + object_json(copy_object, requested);
  co_return co_await unit_handlers::create_as(services, req, *std::move(original), request_text);
}

} // namespace

std::vector<route> unit_routes(const office_services& services) {
  static const auto operations = operations_of(
      {"Unit",
       "unit",
       "units",
       "listings.view",
       "listings.edit",
       {{"property", "Only units of this property", "ListId"},
        {"archived", "Only archived units, or only others", "ListFlag"},
        {"platform", "Only units that are linked to this platform", "ListText"},
        {"published", "Only units that the platform (or any) publishes, or only others", "ListFlag"},
        {"q", "Only units whose name, or whose property's name, contains this", "ListText"}},
       "name",
       true});
  static const operation copy_operation{
      .id = "copyUnit",
      .summary = "Creates a unit with the values of another one, without links, exclusions and blocks",
      .body_schema = "UnitCopy",
      .responses = operations.create.responses};
  constexpr auto all = "/api/units", one = "/api/units/{unitId}";
  constexpr auto may_view = "listings.view", may_edit = "listings.edit";
  using enum body_policy;
  return routes_for(
      services,
      {{"GET", all, none, may_view, list_units, &operations.list},
       {"POST", all, body_policy::json, may_edit, unit_handlers::create, &operations.create},
       {"GET", one, none, may_view, unit_handlers::show, &operations.show},
       {"PATCH", one, body_policy::json, may_edit, unit_handlers::change, &operations.change},
       {"DELETE", one, none, may_edit, unit_handlers::erase, &operations.erase},
       {"POST", "/api/units/{unitId}/copy", body_policy::json, may_edit, copy_unit, &copy_operation}});
}

void add_unit_schemas(json::schemas& to) {
  add_resource_schemas(to, office_unit_object, "Unit");
  to.add("UnitCopy", json::schema_of(copy_object));
}

} // namespace roost::http
