#pragma once

#include "domain/unit.hpp"
#include "store/database/row.hpp"

namespace roost::store {

/// Reads id, first_night, last_night, source, host, created_at, updated_at.
domain::block read_block(row& from);

} // namespace roost::store
