#include "http/access/access.hpp"
#include "http/office/resource_routes.hpp"
#include "portfolio/account.hpp"
#include "portfolio/record_around.hpp"

namespace roost::http {

namespace {

using domain::portfolio_user, domain::user;
using portfolio::field, portfolio::optional, portfolio::reading, portfolio::objects::in_user;
namespace kind = portfolio::kind;

constexpr const char* may_manage = "users.manage";

bool check_owner(reading<portfolio_user>& at) {
  const auto& user = at.to.details;
  if (!user.owner_id || user.role == domain::owner_role) return true;
  return at.in.refuse_member("ownerId", "must be null unless the role is Owner");
}

/// A user without password and language, which only the user chooses.
constexpr auto office_user_object =
    portfolio::record_around<portfolio::objects::user_object, "id", "password", "passwordHash", "language">(
        portfolio::hooks<portfolio_user>{.finish = check_owner},
        domain::pack_of(
            field("id", kind::id, in_user<&user::id>, "The user's UUID. Clients may choose it", optional)),
        domain::pack_of());

/// Returns whether the links that were mailed to a user work as before.
bool keeps_links(const user& before, const user& after) {
  return before.email == after.email && before.role == after.role && before.deactivated == after.deactivated;
}

/// Returns whether a user with this role may make a change; `after` is null for a deletion. A caller who sets
/// the email address of another user can reset the password and act as that user.
bool may_change(const role_permissions& roles, const std::string& role, const user& before,
                const user* after) {
  const bool has_all = includes_role(roles, role, before.role);
  if (after == nullptr) return has_all;
  const bool changes_access = before.email != after->email || before.role != after->role ||
                              before.deactivated != after->deactivated || before.owner_id != after->owner_id;
  return (has_all || !changes_access) &&
         (before.role == after->role || includes_role(roles, role, after->role));
}

store::user_rules rules_of(const office_services& services, const request& req) {
  const auto& roles = services.management->roles;
  store::user_rules rules;
  for (const auto& [role, permissions] : roles)
    if (role != domain::owner_role && has_permission(roles, role, may_manage))
      rules.roles_that_manage_users.push_back(role);
  rules.is_permitted = [&roles, role = caller_of(req).user->role](const user& before, const user* after) {
    return may_change(roles, role, before, after);
  };
  return rules;
}

struct user_kind {
  using resource = portfolio_user;
  static constexpr const auto &object = office_user_object, &creation = office_user_object;
  static constexpr const char *noun = "user", *plural = "users", *path = "/api/users/";

  static domain::uuid& id_of(portfolio_user& user) { return user.details.id; }
  /// With the role Owner, which permits every member: check_owner() examines the stored role later.
  static portfolio_user blank() {
    portfolio_user blank;
    blank.details.role = domain::owner_role;
    return blank;
  }
  static auto rule(const office_services& services, const request& req) {
    return store::user_rule(rules_of(services, req));
  }
  /// Mails a link to a new user, and another one if a change has invalidated the first one.
  static store::office_side_effect<portfolio_user> side_effect(const office_services& services,
                                                               const request& req) {
    return [invite = services.management->password_resets->invitation(*caller_of(req).user)](
               store::session& db, const portfolio_user* before, const portfolio_user& after) {
      if (before == nullptr || !keeps_links(before->details, after.details)) invite(db, after.details.id);
    };
  }
  static std::optional<portfolio_user> find(store::session& db, const store::office_scope& scope,
                                            const domain::uuid& id) {
    return store::find_user(db, scope, id);
  }
  static constexpr auto create = store::create_user;
  static constexpr auto change = store::change_user;
  static constexpr auto erase = store::delete_user;
};
using user_handlers = resource_routes<user_kind>;

asio::awaitable<response> list_users(const office_services& services, request& req) {
  refuse_owners(req);
  query_reader query(req.query, {"limit", "after", "role", "deactivated", "q"});
  auto page = read_list_parameters(query);
  store::user_filter filter;
  filter.role = query.value("role", parse_storable, storable_rule).value_or("");
  filter.deactivated = query.value("deactivated", parse_flag, " must be true or false");
  filter.text = query.text("q").value_or("");
  query.throw_if_refused();
  user_handlers::list_reader read = [scope = scope_of(req), filter](store::session& db, const auto& after,
                                                                    std::size_t limit) {
    return store::list_users(db, scope, filter, after, limit);
  };
  return user_handlers::list(services, req, std::move(page), std::move(read));
}

asio::awaitable<response> show_user(const office_services& services, request& req) {
  refuse_owners(req);
  return user_handlers::show(services, req);
}

asio::awaitable<response> create_user(const office_services& services, request& req) {
  refuse_owners(req);
  portfolio_user requested;
  read_whole(req.body, office_user_object, requested, services.configured);
  if (!includes_role(services.management->roles, caller_of(req).user->role, requested.details.role))
    throw not_allowed();
  const auto text = object_json(office_user_object, requested);
  auto created = co_await user_handlers::create_as(services, req, std::move(requested), text);
  services.management->password_resets->send_due_mail();
  co_return created;
}

asio::awaitable<response> change_user(const office_services& services, request& req) {
  refuse_owners(req);
  auto changed = co_await user_handlers::change(services, req);
  services.management->password_resets->send_due_mail();
  co_return changed;
}

asio::awaitable<response> delete_user(const office_services& services, request& req) {
  refuse_owners(req);
  return user_handlers::erase(services, req);
}

resource_operations user_operations() {
  auto all = operations_of({.name = "User",
                            .noun = "user",
                            .plural = "users",
                            .may_view = may_manage,
                            .may_edit = may_manage,
                            .filters = {{"role", "Only users of this role", "ListText"},
                                        {"deactivated", "Only deactivated users, or only others", "ListFlag"},
                                        {"q", "Only users whose name or address contains this", "ListText"}},
                            .order = "email address"});
  for (auto* each : {&all.create, &all.change, &all.erase})
    each->responses.push_back({403, "The user or the role has permissions that the caller lacks", "Error"});
  all.erase.responses.push_back({409, "This is the last active user who can manage users", "Error"});
  return all;
}

} // namespace

std::vector<route> user_routes(const office_services& services) {
  static const auto operations = user_operations();
  constexpr auto all = "/api/users", one = "/api/users/{userId}";
  using enum body_policy;
  return routes_for(services, {{"GET", all, none, may_manage, list_users, &operations.list},
                               {"POST", all, body_policy::json, may_manage, create_user, &operations.create},
                               {"GET", one, none, may_manage, show_user, &operations.show},
                               {"PATCH", one, body_policy::json, may_manage, change_user, &operations.change},
                               {"DELETE", one, none, may_manage, delete_user, &operations.erase}});
}

void add_user_schemas(json::schemas& to) { add_resource_schemas(to, office_user_object, "User"); }

} // namespace roost::http
