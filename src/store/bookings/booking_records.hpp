#pragma once

#include "domain/booking.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
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

/// Which bookings to list; what is not set does not matter.
struct booking_filter {
  std::optional<domain::uuid> account, unit;
  std::optional<domain::booking_status> status;
  std::optional<std::string> platform, reference;
};

/// Newest first.
std::vector<booking_record> list_bookings(session& db, const booking_filter& wanted, std::size_t limit);

std::optional<booking_record> find_booking(session& db, const domain::uuid& id);

/// The request as its booking remembers it: its stay, its guest and where it came from.
domain::booking_request request_of(const booking_record& record);

/// What a platform means by its reference, in one landlord's account: at most one booking, even if cancelled.
struct platform_reference {
  std::string platform, reference;
  domain::uuid account_id{};
};

std::optional<domain::booking_status> status_of(session& db, const platform_reference& booking);

/// What landlords were told in the app, newest first; of one account, or of all.
std::vector<domain::notification> list_notifications(session& db, std::optional<domain::uuid> account,
                                                     std::size_t limit);

} // namespace roost::store
