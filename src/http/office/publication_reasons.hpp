#pragma once

#include "actors/inventory/directory.hpp"
#include "domain/platform.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

/// Why a platform does not read a unit, as the office shows it.
namespace roost::http {

struct publication_reason {
  std::string_view code; ///< for programs
  std::string_view text; ///< for people
};

/// What a listing in a full feed may lack, indexed by listings::data_gap.
inline constexpr std::array gap_reasons{
    publication_reason{"no_usable_rent", "It has no rent above 0, or a month without one."},
    publication_reason{"unsupported_region", "The platform does not accept its city."},
    publication_reason{"incomplete_address", "Its street, number, postal code, city or country is missing."},
    publication_reason{"no_coordinates", "Its latitude or longitude is missing."},
    publication_reason{"month_without_price", "A month of its varying rent has no price."}};

/// Returns whether the platform reads the account's units without links.
bool reads_all_units(const domain::platform& on, const domain::uuid& account);

/// Returns every reason why a platform's partial feed does not have the unit; none if it has it. `platform`
/// is the platform's index; `has_rent` whether the unit's rent is usable now, which the directory may not
/// show yet.
std::vector<publication_reason> reasons_to_withhold(const actors::directory& directory,
                                                    const actors::directory_unit& unit,
                                                    const domain::platform& on, std::size_t platform,
                                                    bool has_rent);

/// Returns whether another unit comes before this one under the ID that it is linked under.
bool is_id_used_elsewhere(const actors::directory& directory, const actors::directory_unit& unit,
                          std::size_t platform);

} // namespace roost::http
