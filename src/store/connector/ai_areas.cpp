#include "store/connector/ai_areas.hpp"

#include "store/columns/json_columns.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <map>
#include <string>

namespace roost::store {

namespace {

using area_map = std::map<std::string, std::string>;

const selection areas_of_account{"areas_of_account",
                                 "select {columns} from accounts where id = :id {for no key update}",
                                 named<area_map>("ai_areas")};
constexpr query write_areas{"write_areas", "update accounts set ai_areas = :areas where id = :id"};

} // namespace

std::optional<domain::tool_access> ai_areas_of(session& db, const domain::uuid& account) {
  const auto areas = db.internals().read_one(areas_of_account, {{"id", account}});
  return areas ? std::optional(domain::tool_access(*areas)) : std::nullopt;
}

std::optional<stream_point> set_ai_area(session& db, const domain::uuid& account, std::size_t area,
                                        domain::tool_level level) {
  transaction txn(db, transaction::purpose::write);
  auto areas = db.internals().read_one(areas_of_account, {{"id", account}});
  if (!areas) return std::nullopt;
  const std::string name(domain::tool_areas.at(area).name);
  if (level == domain::tool_level::off)
    areas->erase(name);
  else
    areas->insert_or_assign(name, std::string(to_string(level)));
  db.internals().write(write_areas, {{"id", account}, {"areas", json_of(*areas)}});
  const auto change = append(db, {.accounts = {account}});
  txn.commit();
  return change;
}

} // namespace roost::store
