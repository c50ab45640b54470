#pragma once

#include "actors/feeds/feed.hpp"

#include <memory>
#include <string>
#include <utility>

namespace roost::testing {

/// A feed's text as it is made, where there is nobody to hand it out to.
class plain_document final : public actors::feed_document {
public:
  explicit plain_document(actors::feed_text given) : text(std::move(given)) {}

  static std::shared_ptr<const actors::feed_document> make(actors::feed_text text) {
    return std::make_shared<const plain_document>(std::move(text));
  }

  const actors::feed_text text;
};

inline const actors::feed_text& text_of(const actors::feed_snapshot& snapshot) {
  return static_cast<const plain_document&>(*snapshot.document).text;
}

inline std::string identity_of(const actors::feed_snapshot& snapshot) {
  return to_string(text_of(snapshot).identity);
}

} // namespace roost::testing
