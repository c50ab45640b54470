#pragma once

#include "domain/booking.hpp"
#include "store/bookings/submission.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"

/// The rows that a new booking writes, from its submission on.
namespace roost::store {

inline constexpr auto submission_columns =
    columns(nested(&submission::request, request_columns), column("digest", &submission::digest));

/// A tenant's row, created with the first booking.
struct new_tenant {
  const domain::tenant* tenant;
  domain::timestamp created_at;
};

inline constexpr auto new_tenant_columns =
    columns(nested(&new_tenant::tenant, tenant_columns), column("created_at", &new_tenant::created_at));
inline const auto tenant_table = table_of<new_tenant_columns>("tenants");

inline constexpr auto new_booking_columns =
    columns(booking_columns, column("updated_at", &domain::booking::created_at));
inline const auto booking_table = table_of<new_booking_columns>("bookings");

} // namespace roost::store
