#pragma once

#include "domain/booking.hpp"
#include "store/lease.hpp"

#include <cstdint>
#include <span>

namespace roost::store {

/// Writes everything that follows from these decisions in one transaction. Throws lease_lost, stale_portfolio
/// (the store's change version is not `portfolio_version`), already_decided, constraint_violated, or
/// unavailable; nothing was written then, except perhaps when unavailable says that the commit is uncertain.
void record_decisions(session& on, const lease& held, std::int64_t portfolio_version,
                      std::span<const domain::decision> decisions);

struct stays_advanced {
  std::int64_t checked_in = 0, checked_out = 0;
};

/// Moves bookings along on their dates: confirmed to checked in from the day of check-in, checked in to
/// checked out from the day of check-out. At most `limit` of each; throws lease_lost.
stays_advanced advance_stays(session& on, const lease& held, domain::date today, std::size_t limit = 10'000);

} // namespace roost::store
