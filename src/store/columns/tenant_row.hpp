#pragma once

#include "domain/booking.hpp"
#include "store/database/row.hpp"

namespace roost::store {

/// Reads first_name, last_name, email, fiscal_id, phone, nationality.
domain::tenant_details read_tenant_details(row& from);

} // namespace roost::store
