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

/// A transaction of the running server: its first statement reads the lease and holds it until the end, so
/// that no other server can become the writer in between.
class write_transaction {
public:
  /// Throws lease_lost, and stale_portfolio when a version is given that is not the store's. The version then
  /// stays what it is until the end.
  write_transaction(session& db, const lease& held, std::optional<std::int64_t> portfolio_version = {});

  void commit() { transaction_.commit(); }

private:
  transaction transaction_;
};

} // namespace roost::store
