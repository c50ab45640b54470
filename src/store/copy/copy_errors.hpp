#pragma once

#include "store/database/error.hpp"

namespace roost::store {

/// The stores cannot be copied in their current state; nothing was written.
class copy_refused : public error {
  using error::error;
};

/// The target rejected a row: another process wrote into it, or it cannot hold the source's data. The target
/// is marked so that the next copy starts over.
class target_rejected_row : public error {
  using error::error;
};

} // namespace roost::store
