#include "simulation/fault_kinds.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace roost::testing {

fault_set some_faults(const fault_set& from, std::uint64_t seed) {
  constexpr std::uint64_t salt = 0x9e3779b97f4a7c15U; // the history uses the seed itself
  constexpr std::size_t few = 3;
  std::mt19937_64 random(seed ^ salt);
  const auto style = random() % 3;
  if (style == 0 || from.empty()) return from;
  std::vector<fault_kind> kinds(from.begin(), from.end());
  for (auto i = kinds.size() - 1; i > 0; --i) std::swap(kinds[i], kinds[random() % (i + 1)]);
  kinds.resize(1 + random() % std::min(style == 1 ? few : kinds.size(), kinds.size()));
  return {kinds.begin(), kinds.end()};
}

} // namespace roost::testing
