#pragma once

#include <cstddef>

/// How far a unit's numbers go, wherever they come from.
namespace roost::domain {

inline constexpr int longest_stay_months = 1'200;
inline constexpr int largest_capacity = 1'000;
inline constexpr std::size_t longest_external_id = 256; ///< characters of a partner's ID
inline constexpr std::size_t longest_name = 256;        ///< characters of a name or another short text

} // namespace roost::domain
