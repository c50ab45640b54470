#include "cli/argument_checks.hpp"

#include "store/sessions/users.hpp"

#include <algorithm>

namespace roost::cli {

namespace {

[[noreturn]] void throw_unknown(const char* kind, const domain::uuid& id) {
  throw std::runtime_error(std::string("there is no ") + kind + " with the id " + domain::to_string(id));
}

} // namespace

domain::uuid parse_id(const std::string& text) {
  const auto id = domain::parse_uuid(text);
  if (!id)
    throw usage_error("'" + text + "' is not an id; it looks like 0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  return *id;
}

void require_platform(const config::settings& settings, const std::string& name) {
  if (std::ranges::find(settings.platforms, name, &domain::platform::name) != settings.platforms.end())
    return;
  std::string known;
  for (const auto& platform : settings.platforms) known += (known.empty() ? "" : ", ") + platform.name;
  throw usage_error("no platform is called '" + name + "'; configured are: " + known);
}

store::account_overview require_account(store::session& db, const domain::uuid& id) {
  auto matches = store::list_accounts(db, id, 1);
  if (matches.empty()) throw_unknown("account", id);
  return std::move(matches.front());
}

store::unit_overview require_unit(store::session& db, const domain::uuid& id) {
  auto matches = store::list_units(db, {.id = id}, 1);
  if (matches.empty()) throw_unknown("unit", id);
  return std::move(matches.front());
}

domain::uuid require_user(store::session& db, const std::string& email) {
  const auto user = store::find_user(db, email);
  if (!user) throw std::runtime_error("no user has the address " + email);
  return user->id;
}

std::optional<domain::uuid> account_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  return require_account(db, parse_id(text)).id;
}

std::optional<domain::uuid> property_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto id = parse_id(text);
  if (store::list_properties(db, {.id = id}, 1).empty()) throw_unknown("property", id);
  return id;
}

std::optional<domain::uuid> unit_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  return require_unit(db, parse_id(text)).id;
}

} // namespace roost::cli
