#pragma once

#include "actors/runtime/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

namespace roost::actors {

/// A bounded cache of values by name, each with an expiry. If it is full, the value that expires first is
/// evicted.
template <typename Value>
class outcome_cache {
public:
  using time_point = deadline::clock::time_point;

  explicit outcome_cache(std::size_t max_size) : max_size_(max_size) {}

  /// Returns null if there is no such value or it has expired.
  const Value* find(const std::string& name, time_point now) const {
    const auto at = entries_.find(name);
    return at == entries_.end() || at->second.expires_at <= now ? nullptr : &at->second.value;
  }

  void put(const std::string& name, Value value, time_point expires_at) {
    entries_.erase(name);
    if (max_size_ == 0) return;
    if (entries_.size() >= max_size_) entries_.erase(std::ranges::min_element(entries_, {}, expiry_of));
    entries_.emplace(name, entry{std::move(value), expires_at});
  }

private:
  struct entry {
    Value value;
    time_point expires_at;
  };
  static time_point expiry_of(const std::pair<const std::string, entry>& item) {
    return item.second.expires_at;
  }

  std::size_t max_size_;
  std::unordered_map<std::string, entry> entries_;
};

} // namespace roost::actors
