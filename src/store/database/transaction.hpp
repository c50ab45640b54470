#pragma once

#include "domain/uuid.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <cstdint>

namespace roost::store {

class cell_rows;

/// A position in the change stream, with the id of its entry, which differs in another history of the store.
struct stream_point {
  std::int64_t position = 0;
  domain::uuid id{};

  friend bool operator==(const stream_point&, const stream_point&) = default;
};

/// A transaction that rolls back unless committed. A read transaction sees one snapshot; a write transaction
/// of this class needs no lease and is for the command line.
class transaction {
public:
  enum class purpose { write, read };
  transaction(session& db, purpose purpose);
  ~transaction();
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;

  /// Throws unavailable with commit_uncertain() if the database's reply did not arrive.
  void commit();

private:
  session::connection& connection_;
  purpose purpose_;
};

/// Lets statements of the current transaction throw unavailable if they wait longer than 250 ms for a lock.
/// Does nothing on SQLite, whose write transactions wait only when they begin.
void limit_lock_waits(session& db);

/// A transaction that reads the outcome of another one whose commit is uncertain: a query that locks the rows
/// changed by that one waits until it has ended. Throws unavailable if it does not end within 250 ms, for
/// example while a synchronous replica is down: then the outcome is still unknown.
class settled_read {
public:
  explicit settled_read(session& db);

private:
  transaction transaction_;
};

/// A write transaction of the running server. Its first statement reads the lease and locks it until the end,
/// so that no other server can become the writer in between.
class write_transaction {
public:
  /// Throws lease_lost.
  write_transaction(session& db, const lease& held);

  /// `basis` is the position of the change stream that the writes were decided on. Throws lease_lost, or
  /// another_history if the basis is not part of the store's history.
  write_transaction(session& db, const lease& held, const stream_point& basis);

  /// Checks the lease and the basis as the constructor does, of a transaction that began without a basis.
  void base_on(session& db, const lease& held, const stream_point& basis);

  /// Returns the position of the change stream when the basis was checked.
  std::int64_t position() const { return position_; }

  void commit() { transaction_.commit(); }

private:
  transaction transaction_;
  std::int64_t position_ = 0;
};

/// Inserts rows in their own transaction, as a write_transaction would, but in one round trip to PostgreSQL
/// instead of four. Skips rows whose key exists, so that retries are safe.
///
/// Throws lease_lost; unavailable, after which the rows may or may not be in the store; constraint_violated
/// of the kind invalid_value also for a row that conflicts with another one in anything but its key, because
/// its key is new and a retry would conflict again.
void insert_new(session& db, const lease& held, const cell_rows& rows);

} // namespace roost::store
