#pragma once

#include "domain/date.hpp"
#include "store/database/columns.hpp"

#include <optional>

namespace roost::store {

/// The last change of a stay by the booking's platform, and the dates before it; unset: none.
struct platform_change {
  std::optional<domain::timestamp> at;
  std::optional<domain::date> check_in, check_out;
};

/// In the table of bookings.
inline constexpr auto platform_change_columns =
    columns(column("platform_changed_at", &platform_change::at),
            column("platform_changed_check_in", &platform_change::check_in),
            column("platform_changed_check_out", &platform_change::check_out));

} // namespace roost::store
