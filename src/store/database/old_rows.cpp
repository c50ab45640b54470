#include "store/database/old_rows.hpp"

#include "store/database/connection.hpp"
#include "store/database/divided_write.hpp"

#include <span>
#include <vector>

namespace roost::store {

void old_rows::remove(const table& from, const std::string& column, domain::timestamp before,
                      std::size_t limit) {
  remove(from, column + " < :before order by " + column, {{"before", before}, {"limit", limit}});
}

void old_rows::remove(const table& from, const std::string& condition, const std::vector<parameter>& values) {
  const std::string table(from.name);
  const auto select_name = "select_" + std::string(from.kind) + '_' + table,
             delete_name = "delete_old_" + table;
  const auto select = "select {columns} from " + table + " where " + condition + " limit :limit";
  const auto erase = "delete from " + table + " where id in {ids " + from.id_type + "}";
  const selection old{select_name.c_str(), select, named<std::string>("cast(id as text)")};
  const auto ids = db_.internals().read_all(old, values);
  try {
    const auto rejected = write_divided(
        std::span<const std::string>(ids),
        [&](std::span<const std::string> part) {
          in_transaction([&](session& db) {
            return db.internals().write({delete_name.c_str(), erase.c_str()},
                                        {{"ids", db.internals().list(part)}});
          });
        },
        ids.size());
    if (!rejected.empty()) throw constraint_violated(violation::invalid_value, rejected.front().reason);
  } catch (const constraint_violated&) {
    note_rejection();
  } catch (const failure&) {
    note_rejection();
  }
}

} // namespace roost::store
