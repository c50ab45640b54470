#pragma once

#include "domain/date.hpp"
#include "store/portfolio/overlaps.hpp"

#include <cstddef>
#include <string>

/// Texts about blocks that cover nights of stays, for `roost doctor` and plans.
namespace roost::cli {

/// How many overlaps people see, in a plan for each account; the number of all is printed, too.
inline constexpr std::size_t max_overlaps = 20;

inline std::string nights_text(const domain::nights& nights) {
  return domain::to_string(nights.first) + " to " +
         (nights.last == domain::no_end ? "no end" : domain::to_string(nights.last));
}

/// Returns the dates of the stay.
inline std::string stay_text(const store::block_overlap& overlap) {
  return domain::to_string(overlap.check_in) + " to " + domain::to_string(overlap.check_out);
}

} // namespace roost::cli
