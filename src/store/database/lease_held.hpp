#pragma once

#include "store/database/selection.hpp"

namespace roost::store {

/// Whether a node holds the lease in an epoch: one flag, which stays true until the transaction's end. The
/// key share lock keeps a take-over out, which locks the row for update, and lets a renewal pass, which
/// changes no key: a transaction that waits for something must not make its own server lose the lease.
inline constexpr named<bool> is_lease_held{
    "coalesce(node = :node and epoch = :epoch and expires_at > {now}, false)"};

inline const selection lease_held{"lease_held",
                                  {"select {columns} from writer_lease where id = 1 for key share",
                                   "select {columns} from writer_lease where id = 1"},
                                  is_lease_held};

} // namespace roost::store
