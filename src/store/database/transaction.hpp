#pragma once

#include "store/database/lease.hpp"

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

/// What a decision rests on: where the store stood when it was last known.
struct decision_basis {
  std::int64_t portfolio_version = 0;
  std::int64_t decided = 0; ///< how many requests had been decided at the least
};

/// A transaction of the running server: its first statement reads the lease and holds it until the end, so
/// that no other server can become the writer in between.
class write_transaction {
public:
  /// Throws lease_lost.
  write_transaction(session& db, const lease& held);

  /// Throws also stale_portfolio when the store's version is a later one, and another_history when the store
  /// stands before `basis`. The version then stays what it is until the end.
  write_transaction(session& db, const lease& held, const decision_basis& basis);

  /// How many requests had been decided when a transaction with a basis began. Only one runs at a time.
  std::int64_t decided() const { return decided_; }

  void commit() { transaction_.commit(); }

private:
  transaction transaction_;
  std::int64_t decided_ = 0;
};

} // namespace roost::store
