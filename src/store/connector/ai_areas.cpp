#include "store/connector/ai_areas.hpp"

#include "store/columns/json_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <map>
#include <string>

namespace roost::store {

namespace {

using area_map = std::map<std::string, std::string>;

struct area_row {
  domain::uuid account_id{};
  area_map areas;
};
constexpr auto area_columns =
    columns(column("id", &area_row::account_id).key(), column("ai_areas", &area_row::areas));
const auto areas_of_accounts = table_of<area_columns>("accounts");

const selection account_areas{
    "account_areas", "select {columns} from accounts where id = :id {for no key update}", area_columns};

} // namespace

std::optional<domain::tool_access> ai_areas_of(session& db, const domain::uuid& account) {
  const auto row = db.internals().read_one(account_areas, {{"id", account}});
  if (!row) return std::nullopt;
  return domain::tool_access(row->areas);
}

std::optional<stream_point> set_ai_area(session& db, const domain::uuid& account, std::size_t area,
                                        domain::tool_level level) {
  transaction txn(db, transaction::purpose::write);
  auto row = db.internals().read_one(account_areas, {{"id", account}});
  if (!row) return std::nullopt;
  const std::string name(domain::tool_areas.at(area).name);
  if (level == domain::tool_level::off)
    row->areas.erase(name);
  else
    row->areas.insert_or_assign(name, std::string(to_string(level)));
  update_row(db, areas_of_accounts, *row);
  const auto change = append(db, {.accounts = {account}});
  txn.commit();
  return change;
}

} // namespace roost::store
