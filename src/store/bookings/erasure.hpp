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

/// Erases what tells who a guest was: names, address, phone, fiscal ID and nationality, in tenants, requests
/// and notifications. What accounts need stays: the stay, its unit, its amounts and its payment plan. An
/// erased tenant has an empty address and is nobody's match any more.
namespace roost::store {

struct tenant_key {
  domain::uuid account_id{}, id{};

  friend bool operator==(const tenant_key&, const tenant_key&) = default;
};

/// Why a guest cannot be erased now.
enum class erasure_obstacle {
  undecided_request, ///< one with this address is New: its booking would bring everything back
  unfinished_stay,   ///< a stay is neither over nor cancelled
};

/// What the store has of whoever has an address, in all accounts.
struct known_guest {
  std::string address; ///< by domain::folded_case()
  std::vector<tenant_key> tenants;
  /// Decided ones: those with this address, and those of the tenants' bookings.
  std::vector<domain::uuid> requests;
  std::optional<erasure_obstacle> obstacle;
};

/// The address of a tenant; nothing where there is none with this id, or it is erased.
std::optional<std::string> address_of_tenant(session& db, const domain::uuid& id);

/// Reads all tenants and requests, which is acceptable for a command.
known_guest find_guest(session& db, std::string_view address, domain::date today);

/// What was written; only what was not erased before counts.
struct erasure {
  std::int64_t tenants = 0, requests = 0, notifications = 0;
  std::optional<erasure_obstacle> obstacle; ///< then nothing was
  std::optional<stream_point> change; ///< with which a running server forgets them; none: it knew nobody
};

/// Erases a guest who was found, unless there is an obstacle by now. Whoever comes with the address after
/// find_guest() is somebody else. `before_commit` is called in the transaction, when something was erased.
/// Throws unavailable while an import is pending: what comes behind its entry would wait for the import's
/// end.
erasure erase_guest(session& db, const known_guest& guest, domain::date today,
                    const std::function<void(const erasure&)>& before_commit = {});

/// Erases tenants whose every stay ended before that day, and refused and dropped requests for such stays; at
/// most `most` of each. While an import is pending nobody's. Throws lease_lost.
erasure erase_former_guests(session& db, const lease& held, domain::date before, std::size_t most);

} // namespace roost::store
