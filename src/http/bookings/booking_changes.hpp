#pragma once

#include "actors/office/office_resources.hpp"

#include <vector>

/// How the changelog and the audit log describe writes of bookings.
namespace roost::http {

/// Returns the members that a write changes; `before` is null for a creation. Neither the guest nor what
/// other members determine: the entry is kept after the guest's erasure.
std::vector<domain::field_change> changes_of_booking(const store::booking_record* before,
                                                     const store::booking_record& after);

} // namespace roost::http
