#pragma once

#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <cstdint>
#include <optional>

namespace roost::store {

/// A transaction that rolls back unless committed. For reading it is one snapshot; for writing it is what the
/// command line uses, which needs no lease.
class transaction {
public:
  enum class purpose { write, read };
  transaction(session& db, purpose wanted);
  ~transaction();
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;

  /// Throws unavailable with commit_uncertain() when the database's reply did not arrive.
  void commit();

private:
  session::connection& connection_;
  purpose purpose_;
};

/// A transaction that reads what became of another one whose end nobody knows: a query that locks the rows
/// which that one has changed waits until it is through. Throws unavailable when it is not through in a
/// moment, as behind a synchronous copy that is away: then its end is still unknown.
class settled_read {
public:
  explicit settled_read(session& db);

private:
  transaction transaction_;
};

/// A transaction of the running server: its first statement reads the lease and holds it until the end, so
/// that no other server can become the writer in between.
class write_transaction {
public:
  /// Throws lease_lost.
  write_transaction(session& db, const lease& held);

  /// `basis` is where the stream of changes stood when what is to be written was decided. Throws also
  /// another_history when it is no part of the store's history.
  write_transaction(session& db, const lease& held, const stream_point& basis);

  /// Where the stream stood when a transaction with a basis began.
  std::int64_t position() const { return position_; }

  void commit() { transaction_.commit(); }

private:
  transaction transaction_;
  std::int64_t position_ = 0;
};

} // namespace roost::store
