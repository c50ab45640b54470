#pragma once

#include "histogram.hpp"
#include "judge.hpp"
#include "load.hpp"

#include <string>

namespace roost::contention {

/// A load's result in figures, as JSON of one line: see bench/README.md for its members.
std::string to_json(const load_result& load, const load_options& options, const verdict& judged);

/// A history as people read it, a line for each operation.
std::string to_text(const offence& shown);

} // namespace roost::contention
