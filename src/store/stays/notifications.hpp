#pragma once

#include "domain/booking.hpp"
#include "store/database/lease.hpp"
#include "store/office/history.hpp"
#include "store/office/office.hpp"
#include "store/stays/moment_place.hpp"

#include <cstddef>
#include <optional>
#include <span>

/// Notifications to a landlord, and which of them each user of the office has read. Users with an owner see
/// those about bookings and requests of their properties.
namespace roost::store {

struct office_notification {
  domain::notification notification;
  bool is_read = false; ///< by the user who asks
};

/// A user of the office, and what the user sees.
struct notified_user {
  domain::uuid id{};
  office_scope scope;
};

/// Returns the notifications that a user sees, newest first: those after a place, at most `limit`. `is_read`
/// selects those that the user has read, or the others.
office_page<office_notification> list_user_notifications(session& db, const notified_user& user,
                                                         std::optional<bool> is_read,
                                                         const std::optional<moment_place>& after,
                                                         std::size_t limit, with_total counted);

/// Marks notifications as read by the user. Returns false and marks nothing if the user does not see one of
/// them. Idempotent. Throws lease_lost.
bool mark_read(session& db, const lease& held, const notified_user& user,
               std::span<const domain::uuid> notifications);

/// Marks all notifications from before that time that the user sees now. Idempotent. Reads them all, also
/// those that are marked already, and marks them in parts, the newest first, each in a short transaction.
/// Throws lease_lost.
void mark_read_before(session& db, const lease& held, const notified_user& user, domain::timestamp before);

} // namespace roost::store
