#pragma once

#include "actors/runtime/in_store.hpp"
#include "http/office/office_objects.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// Tables that are too large to order anew for each of their pages.
namespace roost::http {

/// How to read a table in two steps: the keys of all rows, in the order of the table, and then the rows of
/// some keys at a time.
template <typename Item, typename Key>
struct keyed_table {
  actors::storage_lane storage;
  std::function<std::vector<Key>(store::session&)> read_keys;
  std::function<std::vector<Item>(store::session&, std::span<const Key>)> read_rows;
  std::size_t keys_per_read = 0;
  std::optional<std::vector<Key>> keys = {}; ///< nullopt: they are not read yet
  std::size_t read = 0;                      ///< the number of keys whose rows were read
};

/// Returns the next rows, at least one unless it is the last page.
template <typename Item, typename Key>
asio::awaitable<std::optional<store::office_page<Item>>>
next_rows(std::shared_ptr<keyed_table<Item, Key>> table) {
  if (!table->keys) {
    auto read_keys = table->read_keys;
    table->keys = co_await actors::in_store(table->storage, "office_read", std::move(read_keys));
  }
  store::office_page<Item> page;
  page.total = static_cast<std::int64_t>(table->keys->size());
  do {
    const auto count = std::min(table->keys_per_read, table->keys->size() - table->read);
    std::function<std::vector<Item>(store::session&)> read_rows = [table, at = table->read,
                                                                   count](store::session& db) {
      return table->read_rows(db, std::span<const Key>(*table->keys).subspan(at, count));
    };
    page.items = co_await actors::in_store(table->storage, "office_read", std::move(read_rows));
    table->read += count;
    page.has_more = table->read < table->keys->size();
  } while (page.items.empty() && page.has_more); // the rows were deleted meanwhile
  co_return std::move(page);
}

/// Returns a reader of the pages of a table, for one response.
template <typename Item, typename Key>
page_reader<Item> pages_of(keyed_table<Item, Key> of) {
  auto table = std::make_shared<keyed_table<Item, Key>>(std::move(of));
  return [table = std::move(table)](const Item*) { return next_rows(table); };
}

} // namespace roost::http
