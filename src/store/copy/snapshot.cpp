#include "store/copy/snapshot.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"

#include <thread>

namespace roost::store {

namespace {

constexpr std::chrono::milliseconds retry_interval{200};

} // namespace

void retry_while_unavailable(std::chrono::milliseconds timeout, const std::function<void()>& on_retry,
                             const std::function<void()>& read) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    try {
      return read();
    } catch (const unavailable&) {
      if (std::chrono::steady_clock::now() >= deadline) throw;
    }
    on_retry();
    std::this_thread::sleep_for(retry_interval);
  }
}

void snapshot::read(const std::function<void()>& on_retry, const std::function<void()>& run) {
  retry_while_unavailable(timeout_, on_retry, [&] {
    try {
      if (!txn_) begin();
      run();
    } catch (const unavailable&) {
      txn_.reset();
      throw;
    }
  });
}

/// Disables PostgreSQL's limit of some seconds for idle transactions: this one is idle while the other store
/// is read.
void snapshot::begin() {
  txn_.emplace(db_, transaction::purpose::read);
  if (!db_.is_sqlite())
    db_.internals().script("copy_snapshot", "set local idle_in_transaction_session_timeout = 0");
}

} // namespace roost::store
