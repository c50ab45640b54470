#pragma once

#include <chrono>
#include <functional>

namespace roost::store {

/// Runs what only reads, again while it throws unavailable, until `patience` is over: a disk stalls, a table
/// is locked, a connection is lost. `meanwhile` is called before each further try; what it throws ends the
/// wait.
void read_patiently(std::chrono::milliseconds patience, const std::function<void()>& meanwhile,
                    const std::function<void()>& read);

} // namespace roost::store
