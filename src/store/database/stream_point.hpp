#pragma once

#include "domain/uuid.hpp"

#include <cstdint>

namespace roost::store {

/// A place in the stream. The id is the entry's own: another history of the store has another one there.
struct stream_point {
  std::int64_t position = 0;
  domain::uuid id{};

  friend bool operator==(const stream_point&, const stream_point&) = default;
};

} // namespace roost::store
