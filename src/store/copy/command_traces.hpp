#pragma once

#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <cstdint>

namespace roost::store {

/// What commands that change a store leave in it: they need no lease, so a copy can only look afterwards.
struct command_traces {
  stream_point newest;
  std::int64_t audited = 0; ///< entries of the audit log: not every change takes a position

  friend bool operator==(const command_traces&, const command_traces&) = default;
};

command_traces traces_of(session& db);

} // namespace roost::store
