#include "store/copy/command_traces.hpp"

#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"

namespace roost::store {

namespace {

/// Their number and not the newest one, which the writer's clock chooses.
const selection count_audit{"copy_count_of_audit", "select {columns} from audit",
                            named<std::int64_t>("count(*)")};

} // namespace

command_traces traces_of(session& db) {
  return {newest_point(db), db.internals().read_one(count_audit).value_or(0)};
}

} // namespace roost::store
