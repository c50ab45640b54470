#pragma once

#include "actors/inventory/directory.hpp"
#include "listings/publication.hpp"

#include <span>
#include <string>

namespace roost::actors {

/// One line in the log about the gaps of a full list's units: how many units have each, and which units come
/// first in the list. None when there is no gap. `gaps` are by the units' places.
void report_data_gaps(const std::string& platform, std::span<const directory_unit* const> units,
                      std::span<const listings::data_gaps> gaps);

} // namespace roost::actors
