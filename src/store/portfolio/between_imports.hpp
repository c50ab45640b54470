#pragma once

#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <chrono>
#include <optional>

namespace roost::store {

/// Longer than a server waits before it writes the rest of an import whose process has ended.
inline constexpr std::chrono::seconds max_import_stall{45};

/// A transaction during which no import is pending: its tables are written piece by piece. A read transaction
/// waits for the import's end, a write transaction writes the rest of it. Other imports may become pending at
/// any time, so whether one is pending is checked in the transaction, and a failed attempt is repeated.
class transaction_between_imports {
public:
  /// Throws unavailable if a pending import makes no progress for `max_stall`.
  transaction_between_imports(session& db, transaction::purpose purpose,
                              std::chrono::milliseconds max_stall = max_import_stall);

  void commit() { transaction_->commit(); }

private:
  std::optional<transaction> transaction_;
};

} // namespace roost::store
