#include "http/office/keyed_table.hpp"
#include "http/office/resource_routes.hpp"
#include "http/stays/stay_queries.hpp"
#include "http/stays/stays_api.hpp"
#include "http/stays/tenant_object.hpp"

namespace roost::http {

namespace {

using domain::tenant, domain::tenant_details;
using portfolio::field, portfolio::optional, portfolio::read_only, portfolio::reader, portfolio::record,
    portfolio::via;
using store::office_tenant, store::tenant_stay;
namespace kind = portfolio::kind;

constexpr std::size_t tenants_per_read = 500;

constexpr auto stay_object = record<tenant_stay>(
    field("booking", kind::id, &tenant_stay::booking_id, "The booking's UUID"),
    field("unitId", kind::id, &tenant_stay::unit_id, "The unit's UUID"),
    field("unitName", stored_text{}, &tenant_stay::unit_name, ""),
    field("platform", stored_text{}, &tenant_stay::platform, "Which platform booked; null: none"),
    field("checkInDate", kind::day, &tenant_stay::check_in, ""),
    field("checkOutDate", kind::day, &tenant_stay::check_out, ""),
    field("status", kind::choice{domain::booking_status_names}, &tenant_stay::status, ""));

/// The stays, whatever a client sends for them: the rule refuses them as a whole.
struct stay_list {
  json::schema schema() const { return json::array_of(json::reference_or_schema_of(stay_object)); }
  bool read(reader&, std::vector<tenant_stay>&) const { return true; }
  void write(std::string& to, const std::vector<tenant_stay>& stays, const portfolio::writing& with) const {
    portfolio::append_array(to, stays, [&](const tenant_stay& each) {
      portfolio::write_on_one_line(to, stay_object, each, with);
    });
  }
};

template <auto Member>
constexpr auto in_details = via(&office_tenant::tenant, &tenant::details, Member);

constexpr auto tenant_object = record<office_tenant>(
    field("id", kind::id, via(&office_tenant::tenant, &tenant::id), "The tenant's UUID", optional, read_only),
    field("firstName", tenant_text{}, in_details<&tenant_details::first_name>, "", optional),
    field("lastName", tenant_text{}, in_details<&tenant_details::last_name>, "null: none", optional),
    field("email", tenant_text{}, in_details<&tenant_details::email>,
          "Platforms' bookings find the tenant by it, in any letter case. Its format is not checked",
          optional),
    field("fiscalId", tenant_text{}, in_details<&tenant_details::fiscal_id>,
          "Tax number; finds the tenant if the email address does not. null: none", optional),
    field("phone", tenant_text{domain::max_tenant_phone_length}, in_details<&tenant_details::phone>,
          "null: none", optional),
    field("nationality", nationality, in_details<&tenant_details::nationality>,
          "ISO 3166-1 country code of two letters; null: none", optional),
    field("category", kind::name, via(&office_tenant::tenant, &tenant::category),
          "One of the account's tenant categories; null: none", optional),
    field("createdAt", kind::moment, &office_tenant::created_at, "In UTC", optional, read_only, untagged),
    field("erased", kind::flag, &office_tenant::is_erased, "Whether the personal data was erased", optional,
          read_only),
    field("stays", stay_list{}, &office_tenant::stays, "By check-in, the latest first", optional, read_only,
          untagged));

struct tenant_kind {
  using resource = office_tenant;
  static constexpr const auto &object = tenant_object, &creation = tenant_object;
  static constexpr const char *noun = "tenant", *plural = "tenants", *path = "/api/tenants/";
  static constexpr bool has_parts_without_tag = true; // the stays

  static domain::uuid& id_of(office_tenant& tenant) { return tenant.tenant.id; }
  static office_tenant blank() { return {}; }
  static std::optional<office_tenant> find(store::session& db, const store::office_scope& scope,
                                           const domain::uuid& id) {
    return store::find_tenant(db, scope, id);
  }
  static constexpr auto change = store::change_tenant;
};
using tenant_handlers = resource_routes<tenant_kind>;

asio::awaitable<response> tenant_table(const office_services& services, const request& req,
                                       std::string text) {
  keyed_table<office_tenant, domain::uuid> tenants{
      .storage = services.storage, .read_keys = {}, .read_rows = {}, .keys_per_read = tenants_per_read};
  tenants.read_keys = [scope = scope_of(req), text = std::move(text)](store::session& db) {
    return store::ids_of_tenants(db, scope, text);
  };
  tenants.read_rows = [scope = scope_of(req)](store::session& db, std::span<const domain::uuid> ids) {
    return store::tenants_of(db, scope, ids);
  };
  auto rows = rows_of(tenant_object, tag_column::yes);
  auto table = co_await stream_table(pages_of(std::move(tenants)), std::move(rows), "tenants");
  co_return std::move(table).value();
}

asio::awaitable<response> list_tenants(const office_services& services, request& req) {
  query_reader query(req.query, {"limit", "after", "q"});
  auto page = read_list_parameters(query);
  const auto text = query.value("q", parse_storable, storable_rule).value_or("");
  query.throw_if_refused();
  if (wants_csv(req)) return tenant_table(services, req, text);
  tenant_handlers::list_reader read = [scope = scope_of(req), text](store::session& db, const auto& after,
                                                                    std::size_t limit) {
    return store::list_tenants(db, scope, text, after, limit);
  };
  return tenant_handlers::list(services, req, std::move(page), std::move(read));
}

asio::awaitable<response> change_tenant(const office_services& services, request& req) {
  refuse_owners(req);
  return tenant_handlers::change(services, req);
}

asio::awaitable<response> erase_tenant(const office_services& services, request& req) {
  refuse_owners(req);
  const auto id = tenant_handlers::id_of(req);
  std::function<store::office_outcome<office_tenant>(store::session&, const store::lease&)> work =
      [scope = scope_of(req), id,
       author = author_of(services, req, "tenant erase", domain::to_string(id), {})](
          store::session& db, const store::lease& held) {
        return store::erase_tenant(db, held, scope, id, author, actors::is_time_trusted);
      };
  auto lane = services.lane();
  const auto done = co_await actors::write_for_office(std::move(lane), std::move(work));
  tenant_handlers::throw_if_refused(req, done);
  co_return respond_with(200, tenant_object, done.resource);
}

resource_operations tenant_operations() {
  return operations_of(
      {.name = "Tenant",
       .noun = "tenant",
       .plural = "tenants",
       .may_view = "tenants.view",
       .may_edit = "tenants.edit",
       .filters = {
           {"q", "Only tenants whose name, email address or phone number contains this", "ListText"}}});
}

const operation erase_operation{
    .id = "eraseTenant",
    .summary =
        "Erases the tenant's personal data. Stays and payments remain. It cannot be undone; repeating it "
        "is safe",
    .responses = {{200, "The tenant without the data", "Tenant"},
                  {403, "The role lacks tenants.edit, or is Owner", "Error"},
                  {404, "There is no such tenant", "Error", false, {}, "There is no such tenant"},
                  {409, "The tenant has a stay to come, or a request that is not decided", "Error"}}};

} // namespace

std::vector<route> tenant_routes(const office_services& services) {
  static const auto operations = tenant_operations();
  constexpr auto all = "/api/tenants", one = "/api/tenants/{tenantId}",
                 erase = "/api/tenants/{tenantId}/erase";
  constexpr auto may_view = "tenants.view", may_edit = "tenants.edit";
  using enum body_policy;
  return routes_for(services, {{"GET", all, none, may_view, list_tenants, &operations.list},
                               {"GET", one, none, may_view, tenant_handlers::show, &operations.show},
                               {"PATCH", one, body_policy::json, may_edit, change_tenant, &operations.change},
                               {"POST", erase, none, may_edit, erase_tenant, &erase_operation}});
}

void add_tenant_schemas(json::schemas& to) { add_resource_schemas(to, tenant_object, "Tenant"); }

} // namespace roost::http
