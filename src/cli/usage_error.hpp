#pragma once

#include <stdexcept>

namespace roost::cli {

/// The command was called in a way that cannot work: exit status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace roost::cli
