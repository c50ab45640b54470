#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/store_state.hpp"

namespace roost::store {

namespace {

const selection count_pending{"count_pending", "select {columns} from pending_import",
                              named<bool>("count(*) > 0")};
const selection next_of_pending{"next_of_pending", "select {columns} from pending_import p",
                                named<std::int64_t>("coalesce((select s.seq from import_steps s where"
                                                    " s.import = p.import order by s.seq limit 1), 0)")};

} // namespace

bool is_import_pending(session& db) {
  return db.is_sqlite() && db.internals().read_one(count_pending).value_or(false);
}

std::optional<std::int64_t> next_import_step(session& db) {
  if (!db.is_sqlite()) return std::nullopt;
  return db.internals().read_one(next_of_pending);
}

void refuse_while_importing(session& db) {
  if (is_import_pending(db)) throw unavailable("an import is in progress");
}

} // namespace roost::store
