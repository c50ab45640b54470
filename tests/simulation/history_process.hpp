#pragma once

#include "simulation/simulation.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roost::testing {

struct history_result {
  std::uint64_t fingerprint = 0;
  std::vector<std::string> failures; ///< what contradicts the guarantees; empty: nothing does
  bool holds() const { return failures.empty(); }
};

/// Lets a history happen in a process of its own, so that a crash ends no other, and nothing of it is left to
/// the next. A crash is a failure. `folder` must not exist, and is removed afterwards.
history_result run_history(const prepared_world& world, const simulation_options& options,
                           const std::filesystem::path& folder);

} // namespace roost::testing
