#pragma once

#include "store/database/dialect.hpp"

namespace roost::store {

/// Whether a node holds the lease in an epoch: one flag, which stays true until the transaction's end.
inline constexpr query lease_held{
    "lease_held",
    "select coalesce(node = :node and epoch = :epoch and expires_at > {now}, false) from writer_lease"
    " where id = 1 for share",
    1,
    "select coalesce(node = :node and epoch = :epoch and expires_at > {now}, 0) from writer_lease where id = "
    "1"};

} // namespace roost::store
