#pragma once

#include "domain/date.hpp"
#include "store/database/session.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::store {

/// The right to write, held by one server at a time. The epoch is a fencing token that increases with every
/// acquisition, so that a server that was stopped past its lease cannot commit.
struct lease {
  std::string node; ///< unique to one run of a server
  std::int64_t epoch = 0;

  friend bool operator==(const lease&, const lease&) = default;
};

/// A lease that was just acquired.
struct taken_lease {
  lease held;
  std::int64_t position = 0; ///< of the change stream; no earlier holder writes after it
};

/// The lease as stored; all times are of the database's clock.
struct lease_state {
  lease holder;
  domain::timestamp expires_at{};
  bool expired = false;
  domain::timestamp seen_at{}; ///< when the state was read
  std::string lock;            ///< the name of the holder's holder_lock; empty if it has none
};

/// The duration for which holders repeatedly acquire the lease. Servers and commands ignore a later expiry,
/// which was set with a wrong clock.
inline constexpr std::chrono::milliseconds lease_length{10'000};

/// The purpose of a lease. Neither an unfinished copy nor a moved store can be served or inspected. Servers
/// take the lease from an inspecting process; an inspecting process never takes it from a server, not even
/// if it has expired.
enum class lease_use { serve, copy, inspect };

/// Acquires the lease with the next epoch if it is free, expired or this node's own; otherwise returns
/// nullopt. While a transaction that began under it is open, PostgreSQL refuses immediately, SQLite after its
/// busy timeout. The caller may serve until `duration` after a time read before the call. `lock` is the name
/// of the node's holder_lock. The lease of `dead_epoch`, whose holder is known to be gone, is acquired before
/// it expires. The lease of an unfinished copy or of a moved store cannot be acquired for serving.
std::optional<taken_lease> try_acquire(session& db, std::string_view node, std::chrono::milliseconds duration,
                                       std::string_view lock = {},
                                       std::optional<std::int64_t> dead_epoch = {},
                                       lease_use use = lease_use::serve);

/// Terminates the connections whose write_transactions have outlived their lease by a second; returns their
/// number. PostgreSQL never terminates a connection whose server was stopped in the middle of a copy. A no-op
/// on SQLite, where the lock belongs to that process.
std::int64_t end_overdue_transactions(session& db);

/// Extends a lease, even an expired one, and stores the name of the holder_lock. Returns false if another
/// node has acquired it.
bool renew(session& db, const lease& held, std::chrono::milliseconds duration, std::string_view lock = {});

/// Frees the lease for the next server; a no-op if it is no longer held.
void release(session& db, const lease& held);

/// Frees the lease and increments its epoch, so that its holder can no longer commit. Returns false if this
/// holder no longer has it.
bool revoke(session& db, const lease& held);

/// Returns the time of the database, by which leases expire.
domain::timestamp database_clock(session& db);

/// Returns the current lease; nullopt if it was never acquired or was released.
std::optional<lease_state> current_lease(session& db);

/// Returns whether the lease expires later than a lease of that length can.
bool expires_implausibly_late(const lease_state& lease, std::chrono::milliseconds length = lease_length);

/// Returns whether the lease is neither expired nor implausibly late to expire.
bool is_credible(const lease_state& lease);

/// Returns whether the lease indicates a running server.
bool has_active_server(session& db);

/// The prefix of the nodes of copies, whose leases keep servers out while they run.
inline constexpr std::string_view copying_node_prefix = "copy/";

/// The prefix of the nodes of inspecting processes; no host's name contains a space.
inline constexpr std::string_view inspecting_node_prefix = "on hold/";

/// Returns the server that the store records as its writer, even if its lease has expired; nullopt if there
/// is none, or only a copy or an inspecting process. Reads stores of every schema version.
std::optional<std::string> serving_server(session& db);

} // namespace roost::store
