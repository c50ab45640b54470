#include "store/database/old_rows.hpp"

#include "store/database/connection.hpp"
#include "store/database/divided_write.hpp"

#include <span>
#include <vector>

namespace roost::store {

void old_rows::remove(const table& from, const std::string& column, domain::timestamp before,
                      std::size_t limit) {
  remove(from, column + " < :before", column, {{"before", before}}, limit);
}

/// A row can change after the selection: a client may be used. So the deletion repeats the condition.
void old_rows::remove(const table& from, const std::string& condition, const std::string& order,
                      const std::vector<parameter>& values, std::size_t limit) {
  const std::string table(from.name), kind = std::string(from.kind) + '_' + table;
  const auto select_name = "select_" + kind, delete_name = "delete_" + kind;
  const auto select =
      "select {columns} from " + table + " where " + condition + " order by " + order + " limit :limit";
  const auto erase = "delete from " + table + " where id in {ids " + from.id_type + "} and " + condition;
  const selection old{select_name.c_str(), select, named<std::string>("cast(id as text)")};
  auto selected = values;
  selected.emplace_back("limit", limit);
  const auto ids = db_.internals().read_all(old, selected);
  try {
    const auto rejected = write_divided(
        std::span<const std::string>(ids),
        [&](std::span<const std::string> part) {
          in_transaction([&](session& db) {
            auto deleted = values;
            deleted.emplace_back("ids", db.internals().list(part));
            return db.internals().write({delete_name.c_str(), erase.c_str()}, deleted);
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
