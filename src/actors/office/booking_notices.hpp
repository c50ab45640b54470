#pragma once

#include "store/office/bookings.hpp"

#include <string>

/// Notifications to the landlord about writes of bookings; `id` is that of the notification.
namespace roost::actors {

store::booking_notice notice_of_creation(const store::office_author& author, const domain::uuid& id);

store::booking_notice notice_of_change(const store::office_author& author, const domain::uuid& id);

/// The author is the booking's platform.
store::booking_notice notice_of_platform_change(const store::office_author& author, const domain::uuid& id);

/// The reason may be empty.
store::booking_notice notice_of_cancellation(const store::office_author& author, const domain::uuid& id,
                                             std::string reason);

} // namespace roost::actors
