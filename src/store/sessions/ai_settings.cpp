#include "store/sessions/ai_settings.hpp"

#include "store/columns/json_columns.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

constexpr auto ai_settings_columns =
    columns(column("ai_areas", &ai_settings::areas), column("ai_budget", &ai_settings::budget));
const selection ai_settings_of_account{"ai_settings_of_account",
                                       "select {columns} from accounts where id = :id", ai_settings_columns};
const selection locked_ai_settings{"locked_ai_settings",
                                   "select {columns} from accounts where id = :id {for no key update}",
                                   ai_settings_columns};
constexpr query write_areas{"write_areas", "update accounts set ai_areas = :areas where id = :id"};
constexpr query write_budget{"write_budget",
                             "update accounts set ai_budget = :budget, updated_at = :now where id = :id"};

} // namespace

std::optional<ai_settings> find_ai_settings(session& db, const domain::uuid& account) {
  return db.internals().read_one(ai_settings_of_account, {{"id", account}});
}

void set_level(ai_area_levels& areas, std::size_t area, domain::tool_level level) {
  const std::string name(domain::tool_areas.at(area).name);
  if (level == domain::tool_level::off)
    areas.erase(name);
  else
    areas.insert_or_assign(name, std::string(to_string(level)));
}

void write_ai_areas(session& db, const domain::uuid& account, const ai_area_levels& areas) {
  db.internals().write(write_areas, {{"id", account}, {"areas", json_of(areas)}});
}

void write_ai_budget(session& db, const domain::uuid& account, const std::optional<domain::ai_budget>& budget,
                     domain::timestamp now) {
  const cell json = budget ? cell(json_of(*budget)) : cell{};
  db.internals().write(write_budget, {{"id", account}, {"budget", json}, {"now", now}});
}

change ai_settings_change(const domain::uuid& account) {
  return {change_kind::account, {account}, {}, {}, shown_resources{{account, {}}}};
}

std::optional<stream_point> set_ai_area(session& db, const domain::uuid& account, std::size_t area,
                                        domain::tool_level level) {
  transaction txn(db, transaction::purpose::write);
  auto settings = db.internals().read_one(locked_ai_settings, {{"id", account}});
  if (!settings) return std::nullopt;
  set_level(settings->areas, area, level);
  write_ai_areas(db, account, settings->areas);
  const auto change = append(db, ai_settings_change(account));
  txn.commit();
  return change;
}

} // namespace roost::store
