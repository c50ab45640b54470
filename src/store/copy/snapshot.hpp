#pragma once

#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace roost::store {

/// Runs `read`, which must not write, and repeats it while it throws unavailable, until `timeout` has passed:
/// a disk stalls, a table is locked, a connection is lost. Calls `on_retry` before each retry; an exception
/// from it ends the wait.
void retry_while_unavailable(std::chrono::milliseconds timeout, const std::function<void()>& on_retry,
                             const std::function<void()>& read);

/// A consistent snapshot for reading a whole store, however long that takes. If the store stalls or the
/// connection is lost, a newer snapshot replaces it; change_counters show whether the two are the same.
class snapshot {
public:
  /// `timeout` applies to each read.
  snapshot(session& db, std::chrono::milliseconds timeout) : db_(db), timeout_(timeout) {}

  session& db() const { return db_; }

  /// Runs `run` in the snapshot, as retry_while_unavailable() does.
  void read(const std::function<void()>& on_retry, const std::function<void()>& run);

private:
  void begin();

  session& db_;
  std::chrono::milliseconds timeout_;
  std::optional<transaction> txn_;
};

} // namespace roost::store
