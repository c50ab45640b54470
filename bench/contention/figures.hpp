#pragma once

#include "load.hpp"
#include "verifier.hpp"

#include <string>

namespace roost::contention {

/// Returns the figures of a load as one line of JSON, which bench/lib/contention reads.
std::string to_json(const load_result& load, const load_options& options, const verdict& verdict);

/// Returns the history of a violation as text, one line per operation.
std::string to_text(const violation& violation);

} // namespace roost::contention
