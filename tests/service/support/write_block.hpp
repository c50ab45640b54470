#pragma once

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "support/store.hpp"

namespace roost::testing {

/// Lets nobody store a booking request for as long as it lives; what is asked to waits. In SQLite nothing can
/// be written at all, and who waits gives up after 4 s.
class write_block {
public:
  explicit write_block(const test_store& store)
      : session_(store.open()), locked_(session_, store::transaction::purpose::write) {
    if (!session_.is_sqlite())
      session_.internals().script("block", "lock table booking_requests in exclusive mode");
  }

private:
  store::session session_;
  store::transaction locked_;
};

} // namespace roost::testing
