#pragma once

#include "store/credentials/credential_family.hpp"
#include "store/database/bulk.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/transaction.hpp"

#include <string>
#include <type_traits>

/// What is behind every credential_family. A source file that adds one specialises credential_description and
/// instantiates the family.
namespace roost::store {

/// Of a table with the columns `id` and `ended_at`:
///
/// - `table`: its name;
/// - `columns`: the description of a record;
/// - `issued`: the column that tells which one is newer;
/// - `live`: the condition for one that may be used; `:now` is a parameter.
template <typename Record>
struct credential_description;

template <typename Record>
class credential_statements {
  using of = credential_description<Record>;
  using columns = std::remove_cvref_t<decltype(of::columns)>;

  static std::string reading(const std::string& condition) {
    return "select {columns} from " + std::string(of::table) + condition + " order by " + of::issued +
           " desc, id";
  }

  const std::string table_name_ = of::table;
  const std::string all_name_ = "all_" + table_name_, live_name_ = "live_" + table_name_,
                    end_name_ = "end_" + table_name_,
                    end_text_ =
                        "update " + table_name_ + " set ended_at = :now where id = :id and ended_at is null";

public:
  const record_table<Record> table = table_of<of::columns>(of::table);
  const selection<columns> all{all_name_.c_str(), reading("").c_str(), of::columns};
  const selection<columns> live{live_name_.c_str(), reading(std::string(" where ") + of::live).c_str(),
                                of::columns};
  const query end{end_name_.c_str(), end_text_.c_str()};

  /// The family's, made when they are first used.
  static const credential_statements& get() {
    static const credential_statements made;
    return made;
  }
};

template <typename Record>
stream_point credential_family<Record>::insert(session& db, const Record& entry) {
  transaction txn(db, transaction::purpose::write);
  insert_row(db, credential_statements<Record>::get().table, entry);
  const auto change = append(db, {change_kind::credentials, {}, {}, {}});
  txn.commit();
  return change;
}

template <typename Record>
std::optional<stream_point> credential_family<Record>::end(session& db, const domain::uuid& id,
                                                           domain::timestamp now) {
  transaction txn(db, transaction::purpose::write);
  const auto& statement = credential_statements<Record>::get().end;
  if (db.internals().write(statement, {{"id", to_cell(id)}, {"now", to_cell(now)}}) == 0) return std::nullopt;
  const auto change = append(db, {change_kind::credentials, {}, {}, {}});
  txn.commit();
  return change;
}

template <typename Record>
std::vector<Record> credential_family<Record>::all(session& db) {
  return db.internals().read_all(credential_statements<Record>::get().all);
}

template <typename Record>
std::vector<Record> credential_family<Record>::live(session& db, domain::timestamp now) {
  return db.internals().read_all(credential_statements<Record>::get().live, {{"now", to_cell(now)}});
}

} // namespace roost::store
