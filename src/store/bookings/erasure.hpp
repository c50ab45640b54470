#pragma once

#include "store/bookings/guests.hpp"
#include "store/database/lease.hpp"
#include "store/database/transaction.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Erases guests' personal data (names, email address, phone, fiscal ID and nationality) from tenants,
/// requests, notifications, and the audit log's entries about changes of tenants. What accounting needs
/// stays: the stay, its unit, its amounts and its payment plan. An erased tenant has an empty email address
/// and never matches a guest again.
namespace roost::store {

/// The numbers of newly erased rows.
struct erasure {
  std::int64_t tenants = 0, requests = 0, notifications = 0;
  guest_rows rejected;                      ///< those that the database refused to change
  std::optional<erasure_obstacle> obstacle; ///< if set, nothing was written
  /// The entry that makes a running server forget the tenants; nullopt if there were none.
  std::optional<stream_point> change;
};

/// Erases a guest found by find_guest(), unless an obstacle has appeared since. Tenants that use the address
/// only since then are not erased. If anything was erased, calls `before_commit` in the transaction. Throws
/// unavailable while an import is pending, because servers would read the erasure's entry only after the
/// import.
erasure erase_guest(session& db, const known_guest& guest, domain::date today,
                    const std::function<void(const erasure&)>& before_commit = {});

/// The same for the running server: throws lease_lost, and unavailable if another transaction holds a row.
erasure erase_guest(session& db, const lease& held, const known_guest& guest, domain::date today,
                    const std::function<void(const erasure&)>& before_commit = {});

/// Erases tenants whose stays all ended before that day, and refused and dropped requests for such stays: at
/// most `limit` of each. Leaves those that the database rejects, and those that it is known to reject. Erases
/// nothing while an import is pending. Throws lease_lost.
erasure erase_former_guests(session& db, const lease& held, domain::date before, std::size_t limit,
                            const guest_rows& known_rejected = {});

} // namespace roost::store
