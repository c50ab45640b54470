#include "http/office/resource_routes.hpp"
#include "portfolio/account.hpp"

namespace roost::http {

namespace {

using domain::portfolio_user, domain::user;
using portfolio::field, portfolio::optional, portfolio::read_only, portfolio::record,
    portfolio::objects::in_user;
namespace kind = portfolio::kind;

constexpr auto preferences_object =
    record<user>(field("language", kind::choice{domain::language_names}, &user::language,
                       "Of the pages of the office (ISO 639-1)"));

/// The signed-in user.
constexpr auto me_object = record<portfolio_user>(
    field("id", kind::id, in_user<&user::id>, "The user's UUID", optional, read_only),
    field("email", kind::email, in_user<&user::email>, "", optional, read_only),
    field("firstName", kind::detail, in_user<&user::first_name>, "", optional, read_only),
    field("lastName", kind::detail, in_user<&user::last_name>, "", optional, read_only),
    field("role", kind::name, in_user<&user::role>, "A role of the configuration", optional, read_only),
    field("ownerId", kind::id, in_user<&user::owner_id>, "The owner whose properties the user sees", optional,
          read_only),
    field("preferences", kind::part{preferences_object}, &portfolio_user::details, "", optional));

struct me_kind {
  using resource = portfolio_user;
  static constexpr const auto &object = me_object, &creation = me_object;
  static constexpr const char *noun = "user", *plural = "users", *path = "/api/me";

  static domain::uuid& id_of(portfolio_user& user) { return user.details.id; }
  static domain::uuid id_in(const request& req) { return caller_of(req).user->id; }
  static portfolio_user blank() { return {}; }
  static std::optional<portfolio_user> find(store::session& db, const store::office_scope& scope,
                                            const domain::uuid& id) {
    return store::find_user(db, scope, id);
  }
  static constexpr auto change = store::change_preferences;
};
using me_handlers = resource_routes<me_kind>;

} // namespace

std::vector<route> me_routes(const office_services& services) {
  static const operation show{.id = "getMe",
                              .summary = "Returns the signed-in user, with the ETag",
                              .responses = {{200, "The user", "Me"}}},
      change{
          .id = "changeMe",
          .summary = "Changes the preferences of the signed-in user",
          .body_schema = "MeChange",
          .responses = {{200, "The user as it is now", "Me"},
                        {428, "If-Match is missing", "Error"},
                        {412, "The user has changed: who changed which members, and when", "OutdatedState"}},
          .headers = {if_match_header}};
  constexpr auto path = "/api/me", any_user = "";
  using enum body_policy;
  return routes_for(services, {{"GET", path, none, any_user, me_handlers::show, &show},
                               {"PATCH", path, body_policy::json, any_user, me_handlers::change, &change}});
}

void add_me_schemas(json::schemas& to) { add_resource_schemas(to, me_object, "Me"); }

} // namespace roost::http
