#pragma once

#include "actors/feeds/feed.hpp"

#include <string>

namespace roost::testing {

/// Returns the uncompressed bytes of a list.
inline const bytes::shared_body& identity_body(const actors::feed_snapshot& snapshot) {
  return snapshot.document.identity().whole->body();
}

inline std::string identity_of(const actors::feed_snapshot& snapshot) {
  return to_string(identity_body(snapshot));
}

} // namespace roost::testing
