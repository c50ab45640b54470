#pragma once

#include "domain/booking.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Erases guests' personal data (names, email address, phone, fiscal ID and nationality) from tenants,
/// requests and notifications. What accounting needs stays: the stay, its unit, its amounts and its payment
/// plan. An erased tenant has an empty email address and never matches a guest again.
namespace roost::store {

struct tenant_key {
  domain::uuid account_id{}, id{};

  friend bool operator==(const tenant_key&, const tenant_key&) = default;
};

/// Tenants and requests that are erased together.
struct guest_rows {
  std::vector<tenant_key> tenants;
  std::vector<domain::uuid> requests;
};

/// Why a guest cannot be erased now.
enum class erasure_obstacle {
  undecided_request, ///< a request with this address is New: its booking would restore the data
  unfinished_stay,   ///< a stay is neither over nor cancelled
};

/// The data that the store holds for one email address, across all accounts.
struct known_guest {
  std::string address; ///< normalized by domain::email_key()
  std::vector<tenant_key> tenants;
  /// Decided requests with this address, and those of the tenants' bookings.
  std::vector<domain::uuid> requests;
  std::optional<erasure_obstacle> obstacle;
};

/// Returns a tenant's email address; nullopt if there is no such tenant or it is erased.
std::optional<std::string> address_of_tenant(session& db, const domain::uuid& id);

/// Finds a guest by email address. Scans all tenants and requests, which is acceptable for a command.
known_guest find_guest(session& db, std::string_view address, domain::date today);

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

/// Erases tenants whose stays all ended before that day, and refused and dropped requests for such stays: at
/// most `limit` of each. Leaves those that the database rejects, and those that it is known to reject. Erases
/// nothing while an import is pending. Throws lease_lost.
erasure erase_former_guests(session& db, const lease& held, domain::date before, std::size_t limit,
                            const guest_rows& known_rejected = {});

} // namespace roost::store
