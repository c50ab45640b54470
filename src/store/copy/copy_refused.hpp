#pragma once

#include "store/database/error.hpp"

namespace roost::store {

/// The stores cannot be copied as they are; nothing was written.
class copy_refused : public error {
  using error::error;
};

} // namespace roost::store
