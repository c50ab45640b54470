#include "store/copy/snapshot.hpp"

#include "store/copy/patience.hpp"
#include "store/database/connection.hpp"

namespace roost::store {

void snapshot::read(const std::function<void()>& meanwhile, const std::function<void()>& run) {
  read_patiently(patience_, meanwhile, [&] {
    try {
      if (!within_) begin();
      run();
    } catch (const unavailable&) {
      within_.reset();
      throw;
    }
  });
}

/// PostgreSQL ends a transaction that is idle for some seconds, and this one is while the other side reads.
void snapshot::begin() {
  within_.emplace(db_, transaction::purpose::read);
  if (!db_.is_sqlite())
    db_.internals().script("copy_snapshot", "set local idle_in_transaction_session_timeout = 0");
}

} // namespace roost::store
