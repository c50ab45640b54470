#pragma once

#include "actors/runtime/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

namespace roost::actors {

/// Values by name, each until its time is over. There are at most so many: of those, the one goes first that
/// would be over first.
template <typename Value>
class outcome_cache {
public:
  using time_point = deadline::clock::time_point;

  explicit outcome_cache(std::size_t most) : most_(most) {}

  /// Nothing: it is not there, or no more.
  const Value* find(const std::string& name, time_point now) const {
    const auto at = entries_.find(name);
    return at == entries_.end() || at->second.until <= now ? nullptr : &at->second.value;
  }

  void put(const std::string& name, Value value, time_point until) {
    entries_.erase(name);
    if (most_ == 0) return;
    if (entries_.size() >= most_) entries_.erase(std::ranges::min_element(entries_, {}, time_of));
    entries_.emplace(name, entry{std::move(value), until});
  }

private:
  struct entry {
    Value value;
    time_point until;
  };
  static time_point time_of(const std::pair<const std::string, entry>& each) { return each.second.until; }

  std::size_t most_;
  std::unordered_map<std::string, entry> entries_;
};

} // namespace roost::actors
