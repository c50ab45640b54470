#pragma once

#include "simulation/simulation.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roost::testing {

struct history_result {
  std::uint64_t fingerprint = 0;
  std::vector<std::string> failures; ///< descriptions of violated guarantees
  bool passed() const { return failures.empty(); }
};

/// Runs a history in its own process, so that a crash does not affect others, and no state remains. A crash
/// is a failure. `folder` must not exist, and is removed afterwards.
history_result run_history(const prepared_world& world, const simulation_options& options,
                           const std::filesystem::path& folder);

} // namespace roost::testing
