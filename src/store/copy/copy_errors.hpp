#pragma once

#include "store/database/error.hpp"

namespace roost::store {

/// The stores cannot be copied as they are; nothing was written.
class copy_refused : public error {
  using error::error;
};

/// The target has refused a row: somebody else has written into it, or it cannot hold what the source holds.
/// It is marked so that the next copy begins anew.
class target_rejected_row : public error {
  using error::error;
};

} // namespace roost::store
