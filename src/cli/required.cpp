#include "cli/required.hpp"

#include "cli/context.hpp"

#include <stdexcept>

namespace roost::cli {

namespace {

[[noreturn]] void throw_unknown(const char* what, const domain::uuid& id) {
  throw std::runtime_error(std::string("there is no ") + what + " with the id " + domain::to_string(id));
}

} // namespace

store::account_overview require_account(store::session& db, const domain::uuid& id) {
  auto found = store::list_accounts(db, id, 1);
  if (found.empty()) throw_unknown("account", id);
  return std::move(found.front());
}

store::unit_overview require_unit(store::session& db, const domain::uuid& id) {
  auto found = store::list_units(db, {.id = id}, 1);
  if (found.empty()) throw_unknown("unit", id);
  return std::move(found.front());
}

std::optional<domain::uuid> account_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  return require_account(db, id_of(text)).id;
}

std::optional<domain::uuid> property_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto id = id_of(text);
  if (store::list_properties(db, {.id = id}, 1).empty()) throw_unknown("property", id);
  return id;
}

std::optional<domain::uuid> unit_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  return require_unit(db, id_of(text)).id;
}

} // namespace roost::cli
