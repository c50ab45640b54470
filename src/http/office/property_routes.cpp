#include "http/office/resource_routes.hpp"
#include "http/office/unit_objects.hpp"
#include "portfolio/account.hpp"
#include "portfolio/record_around.hpp"

namespace roost::http {

namespace {

using domain::portfolio_property, domain::property;
using portfolio::field, portfolio::optional, portfolio::read_only, portfolio::objects::in_property;
namespace kind = portfolio::kind;

constexpr auto id_field =
    field("id", kind::id, in_property<&property::id>, "The property's UUID. Clients may choose it", optional);

/// A property without its units, which have their own routes.
constexpr auto property_object = portfolio::record_around<portfolio::objects::property_object, "id", "units">(
    portfolio::hooks<portfolio_property>{}, domain::pack_of(id_field),
    domain::pack_of(field("createdAt", kind::moment, in_property<&property::created_at>, "", optional,
                          read_only, untagged),
                    field("updatedAt", kind::moment, in_property<&property::updated_at>, "", optional,
                          read_only, untagged)));

/// A property that is created with its units.
constexpr auto new_property_object =
    portfolio::record_around<portfolio::objects::property_object, "id", "units">(
        portfolio::hooks<portfolio_property>{}, domain::pack_of(id_field),
        domain::pack_of(field("units", kind::list{nested_unit_object}, &portfolio_property::units,
                              "Its units; at most one of kind `property`", optional,
                              portfolio::objects::has_one_whole_unit)));

struct property_kind {
  using resource = portfolio_property;
  static constexpr const auto& object = property_object;
  static constexpr const auto& creation = new_property_object;
  static constexpr const char *noun = "property", *plural = "properties", *path = "/api/properties/";

  static domain::uuid& id_of(portfolio_property& property) { return property.details.id; }
  static portfolio_property blank() { return {}; }
  static void complete(const office_services& services, portfolio_property& created) {
    for (auto& unit : created.units) {
      unit.terms.property_id = created.details.id;
      if (unit.terms.id.is_nil()) unit.terms.id = services.new_id();
    }
  }
  static constexpr auto find = store::find_property;
  static constexpr auto create = store::create_property;
  static constexpr auto change = store::change_property;
  static constexpr auto erase = store::delete_property;
};
using property_handlers = resource_routes<property_kind>;

asio::awaitable<response> list_properties(const office_services& services, request& req) {
  query_reader query(req.query, {"limit", "after", "archived", "q"});
  auto page = read_list_parameters(query);
  store::property_filter filter;
  filter.archived = query.value("archived", parse_flag, " must be true or false");
  filter.text = query.text("q").value_or("");
  query.throw_if_refused();
  property_handlers::list_reader read = [scope = scope_of(req), filter](store::session& db, const auto& after,
                                                                        std::size_t limit) {
    return store::list_properties(db, scope, filter, after, limit);
  };
  return property_handlers::list(services, req, std::move(page), std::move(read));
}

} // namespace

std::vector<route> property_routes(const office_services& services) {
  static auto operations =
      operations_of({"Property",
                     "property",
                     "properties",
                     "properties.view",
                     "properties.edit",
                     {{"archived", "Only archived properties, or only others", "ListFlag"},
                      {"q", "Only properties whose name or city contains this", "ListText"}},
                     "name",
                     true});
  operations.create.body_schema = "NewProperty";
  constexpr auto all = "/api/properties", one = "/api/properties/{propertyId}";
  constexpr auto may_view = "properties.view", may_edit = "properties.edit";
  using enum body_policy;
  return routes_for(
      services, {{"GET", all, none, may_view, list_properties, &operations.list},
                 {"POST", all, body_policy::json, may_edit, property_handlers::create, &operations.create},
                 {"GET", one, none, may_view, property_handlers::show, &operations.show},
                 {"PATCH", one, body_policy::json, may_edit, property_handlers::change, &operations.change},
                 {"DELETE", one, none, may_edit, property_handlers::erase, &operations.erase}});
}

void add_property_schemas(json::schemas& to) {
  add_resource_schemas(to, property_object, "Property");
  to.add("NewProperty", json::schema_of(new_property_object));
}

} // namespace roost::http
