#pragma once

#include "domain/date.hpp"
#include "store/database/session.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::store {

/// The right to write, held by one server at a time. The epoch is a fencing token: it grows with every change
/// of hands, so that a server which was stopped past its lease commits nothing.
struct lease {
  std::string node; ///< unique to one run of one server
  std::int64_t epoch = 0;

  friend bool operator==(const lease&, const lease&) = default;
};

/// A lease as it was taken.
struct taken_lease {
  lease held;
  std::int64_t position = 0; ///< where the stream of changes stood: no earlier holder writes any more
};

struct lease_state {
  lease holder;
  domain::timestamp expires_at{}; ///< on the database's clock
  bool expired = false;           ///< by the database's clock
  domain::timestamp seen_at{};    ///< by the database's clock
  std::string lock;               ///< the holder_lock that its holder has; empty: none
};

/// For how long a holder takes the lease, again and again. An end further ahead came from a clock that was
/// wrong: neither servers nor commands believe it.
inline constexpr std::chrono::milliseconds lease_length{10'000};

/// What the lease is taken for. Nobody serves a copy that is not finished.
enum class lease_use { serve, copy };

/// Takes the lease when it is free, expired or this node's own, with the next epoch, unless a transaction
/// that began under it is still open: PostgreSQL then refuses at once, SQLite after its busy timeout. The
/// caller may serve until `duration` after a moment that it read before the call. `lock` is the holder_lock
/// that the node has. The lease of the epoch `gone` is taken before its end: its holder is known to be gone.
/// To serve, it is not taken of a copy that is not finished.
std::optional<taken_lease> try_acquire(session& db, std::string_view node, std::chrono::milliseconds duration,
                                       std::string_view lock = {}, std::optional<std::int64_t> gone = {},
                                       lease_use use = lease_use::serve);

/// Ends the connections whose write_transactions have outlived the lease that they began under by a second;
/// returns how many. PostgreSQL itself never ends one whose server was stopped in the middle of a copy. In
/// SQLite nobody can: the lock belongs to that process.
std::int64_t end_overdue_transactions(session& db);

/// Extends a lease, even one that has run out, unless somebody took it, and notes the holder_lock. False:
/// somebody else has it now.
bool renew(session& db, const lease& held, std::chrono::milliseconds duration, std::string_view lock = {});

/// Frees the lease for the next server; nothing happens when it is no longer held.
void release(session& db, const lease& held);

/// Takes the lease from its holder, for nobody. The next epoch begins, so that the holder commits nothing any
/// more. False: this holder no longer has it.
bool revoke(session& db, const lease& from);

/// The time of the clock that leases end by.
domain::timestamp database_clock(session& db);

/// Who holds the lease; nobody when it was never taken or was released.
std::optional<lease_state> current_lease(session& db);

/// Whether the lease's end is further ahead than a lease of that length lasts.
bool expires_implausibly_late(const lease_state& lease, std::chrono::milliseconds length = lease_length);

/// Whether the lease's end counts: not where it has run out, nor where it is too far ahead.
bool is_credible(const lease_state& lease);

/// Whether there is a server, as far as the lease tells.
bool has_active_server(session& db);

/// What the nodes of copies begin with, whose leases keep servers away meanwhile.
inline constexpr std::string_view copying_node_prefix = "copy/";

/// Throws unavailable while the store is being copied: what is changed now would be missing in the copy.
void refuse_while_copied(session& db);

} // namespace roost::store
