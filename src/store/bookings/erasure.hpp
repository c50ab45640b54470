#pragma once

#include "domain/booking.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"

#include <cstdint>
#include <optional>
#include <span>
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

struct erasure {
  std::int64_t tenants = 0, requests = 0, notifications = 0;
  std::optional<stream_point> change; ///< with which a running server forgets them; none: nobody was erased
};

/// Those with this id, or with this address in any letter case.
std::vector<tenant_key> find_tenants(session& db, std::string_view id_or_email);

/// Whether one of them has a stay that is not over and not cancelled.
bool have_stays_to_come(session& db, std::span<const tenant_key> tenants, domain::date today);

/// Erases these tenants and the requests of their bookings; with an address also the refused and dropped
/// requests that came with it.
erasure erase_tenants(session& db, std::span<const tenant_key> tenants, std::string_view email = {});

/// Erases tenants whose every stay ended before that day, and refused and dropped requests for such stays; at
/// most `most` of each. Throws lease_lost.
erasure erase_guests_of_old(session& db, const lease& held, domain::date before, std::size_t most);

} // namespace roost::store
