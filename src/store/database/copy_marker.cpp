#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"

namespace roost::store {

namespace {

const selection read_marker{"read_copy_marker",
                            "select {columns} from store_copy where id = 1",
                            named<bool>("state = 'differs'"),
                            named<std::int64_t>("source_position"),
                            named<domain::uuid>("source_id"),
                            named<std::int64_t>("source_epoch")};

} // namespace

std::optional<copy_marker> read_copy_marker(session& db) {
  std::optional<copy_marker> found;
  db.internals().read(
      read_marker, {}, [&](bool differs, std::int64_t position, const domain::uuid& id, std::int64_t epoch) {
        found = {differs ? copy_marker::state::differs : copy_marker::state::copying, {position, id}, epoch};
      });
  return found;
}

void refuse_unfinished_copy(session& db) {
  if (read_copy_marker(db))
    throw unfinished_copy(
        "this store is a copy that is not finished: run `roost copy` from its source again, "
        "which goes on, or empty the database");
}

} // namespace roost::store
