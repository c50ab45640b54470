#pragma once

#include "store/bookings/bookings.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/transaction.hpp"

#include <span>
#include <vector>

namespace roost::testing {

/// Cancels those of these bookings that are active, for their landlords, with nothing but what every
/// cancellation writes: neither an author nor a notification. Returns them.
inline std::vector<domain::uuid> cancel_stays(store::session& db, std::span<const domain::uuid> bookings) {
  store::transaction txn(db, store::transaction::purpose::write);
  const auto cancelled =
      store::cancel_active(db, bookings, domain::cancelled_by::landlord,
                           [](const auto&) -> std::optional<domain::notification> { return {}; });
  if (!cancelled.changes.empty()) store::append_all(db, cancelled.changes);
  txn.commit();
  return cancelled.bookings;
}

/// Returns whether the booking was active.
inline bool cancel_stay(store::session& db, const domain::uuid& booking) {
  return !cancel_stays(db, {&booking, 1}).empty();
}

} // namespace roost::testing
