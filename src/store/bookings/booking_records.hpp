#pragma once

#include "domain/booking.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// A booking with the names of its unit, city and company.
struct booking_record {
  domain::booking booking;
  domain::tenant tenant;
  std::string unit_name, city, company_name, currency;
  std::optional<domain::cancelled_by> cancelled_by;
  std::optional<domain::timestamp> cancelled_at;
};

/// Selects the bookings to list; unset members match every booking.
struct booking_filter {
  std::optional<domain::uuid> account, unit;
  std::optional<domain::booking_status> status;
  std::optional<std::string> platform, reference;
};

/// Returns the newest bookings first.
std::vector<booking_record> list_bookings(session& db, const booking_filter& filter, std::size_t limit);

std::optional<booking_record> find_booking(session& db, const domain::uuid& id);

/// Reconstructs the request from its booking: the stay, the guest and the platform.
domain::booking_request request_of(const booking_record& record);

/// A platform's reference within one landlord's account. It identifies at most one booking, even a cancelled
/// one.
struct platform_reference {
  std::string platform, reference;
  domain::uuid account_id{};
};

std::optional<domain::booking_status> status_of(session& db, const platform_reference& booking);

/// Returns in-app notifications to landlords, newest first: those of `account`, or all if nullopt.
std::vector<domain::notification> list_notifications(session& db, std::optional<domain::uuid> account,
                                                     std::size_t limit);

} // namespace roost::store
