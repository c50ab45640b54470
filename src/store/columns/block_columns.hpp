#pragma once

#include "domain/unit.hpp"
#include "store/columns/enum_text.hpp"
#include "store/database/columns.hpp"

namespace roost::store {

/// A manual or channel block.
inline constexpr auto block_columns =
    columns(column("id", &domain::block::id).key(),
            column("first_night", &domain::block::nights, &domain::nights::first),
            column<last_night_format>("last_night", &domain::block::nights, &domain::nights::last),
            column("source", &domain::block::source), column("host", &domain::block::host),
            column("created_at", &domain::block::created_at).origin(),
            column("updated_at", &domain::block::updated_at).stamp());

} // namespace roost::store
