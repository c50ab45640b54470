#pragma once

#include "store/database/error.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// An item that was not written because the database rejected its rows.
template <typename Item>
struct rejected_item {
  Item item;
  std::string reason; ///< the violated constraint, or the error
};

/// Removes the known items from those to write.
template <typename Item>
void leave_out(std::span<const Item> known, std::vector<Item>& items) {
  std::erase_if(items, [&](const Item& item) { return std::ranges::find(known, item) != known.end(); });
}

/// Calls `write` with all items, which it writes in a transaction of its own. If the database rejects it,
/// each half of the items is tried by itself: a rejected item does not prevent the others from being written.
/// Returns the rejected ones. After `max_rejected` of them it leaves the rest for a later call, without
/// these. Throws a failure if nothing could be written; other errors end it. What was written before remains.
template <typename Item, typename Write>
std::vector<rejected_item<Item>> write_divided(std::span<const Item> items, const Write& write,
                                               std::size_t max_rejected = 32) {
  std::vector<rejected_item<Item>> rejected;
  std::vector<std::span<const Item>> parts{items}; // the next one last
  bool is_any_written = false;
  const auto reject = [&](std::span<const Item> part, const std::string& reason) {
    if (part.size() == 1) return rejected.push_back({part.front(), reason});
    const auto half = part.size() / 2;
    parts.push_back(part.subspan(half));
    parts.push_back(part.first(half));
  };
  while (!parts.empty() && rejected.size() < max_rejected) {
    const auto part = parts.back();
    parts.pop_back();
    if (part.empty()) continue;
    try {
      write(part);
      is_any_written = true;
    } catch (const constraint_violated& violated) {
      reject(part, violated.constraint());
    } catch (const failure& failed) { // a trigger or policy may forbid some rows
      reject(part, failed.what());
      if (parts.empty() && !is_any_written) throw;
      if (rejected.size() == max_rejected && !is_any_written) throw;
    }
  }
  return rejected;
}

} // namespace roost::store
