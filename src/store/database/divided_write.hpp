#pragma once

#include "store/database/error.hpp"

#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// An item that was not written because the database rejected its rows.
template <typename Item>
struct rejected_item {
  Item item;
  std::string constraint;
};

/// Calls `write` with all items, which it writes in a transaction of its own. If the database rejects a row,
/// nothing is written, and each half of the items is tried by itself: a rejected item does not prevent the
/// others from being written. Returns the rejected ones. Other errors end it; what was written before
/// remains.
template <typename Item, typename Write>
std::vector<rejected_item<Item>> write_divided(std::span<const Item> items, const Write& write) {
  std::vector<rejected_item<Item>> refused;
  std::vector<std::span<const Item>> parts{items}; // the next one last
  while (!parts.empty()) {
    const auto part = parts.back();
    parts.pop_back();
    if (part.empty()) continue;
    try {
      write(part);
    } catch (const constraint_violated& violated) {
      if (part.size() == 1) {
        refused.push_back({part.front(), violated.constraint()});
        continue;
      }
      const auto half = part.size() / 2;
      parts.push_back(part.subspan(half));
      parts.push_back(part.first(half));
    }
  }
  return refused;
}

} // namespace roost::store
