#pragma once

#include "top/figures.hpp"

#include <string>
#include <vector>

namespace roost::top {

inline constexpr std::size_t least_columns = 80;

/// The view as lines of at most so many columns. Where `rows` is not 0, tables are cut so that the lines fit;
/// what to tune and the bookings come first.
std::vector<std::string> draw(const view& shown, std::size_t columns, std::size_t rows);

} // namespace roost::top
