#pragma once

#include "domain/uuid.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace roost::actors {

/// What was asked of a unit or an account in some seconds.
struct busy_entry {
  domain::uuid id{};
  std::string name;
  std::uint64_t reads = 0;    ///< estimated: one of hot_units::one_read_of is counted
  std::uint64_t reserved = 0; ///< stays whose nights were given
  std::uint64_t refused = 0;  ///< stays whose nights were not

  std::uint64_t all() const { return reads + reserved + refused; }
};

/// The busiest of many, by the algorithm Space-Saving: a newcomer takes the place, and the count, of the
/// least busy one when there is no room. So a count may be too high, by that of the least busy one at most,
/// and who is busier than that is in the list. Not for several threads at once.
class hot_list {
public:
  static constexpr std::size_t room = 256;

  void add(const domain::uuid& id, const std::string& name, std::uint64_t busy_entry::*what,
           std::uint64_t by) {
    auto found = entries_.find(id);
    if (found == entries_.end()) {
      busy_entry entry{id, name};
      if (entries_.size() == room) entry.reads = take_least();
      found = entries_.emplace(id, std::move(entry)).first;
    }
    found->second.*what += by;
  }

  /// The busiest first.
  std::vector<busy_entry> busiest(std::size_t most) const {
    std::vector<busy_entry> all;
    for (const auto& [id, entry] : entries_) all.push_back(entry);
    std::ranges::sort(all, [](const auto& a, const auto& b) {
      return a.all() != b.all() ? a.all() > b.all() : a.id < b.id;
    });
    if (all.size() > most) all.resize(most);
    return all;
  }

private:
  /// Counts only rise. So all that had the lowest one are found at once, and those of them that have it still
  /// go before there is another search: where many units are asked alike, a search for each newcomer would
  /// take longer than what is counted.
  std::uint64_t take_least() {
    for (;;) {
      for (; !least_.empty(); least_.pop_back()) {
        const auto found = entries_.find(least_.back());
        if (found == entries_.end() || found->second.all() != least_count_) continue;
        entries_.erase(found);
        return least_count_;
      }
      find_least();
    }
  }

  void find_least() {
    const auto count = [](const auto& each) { return each.second.all(); };
    least_count_ = count(*std::ranges::min_element(entries_, {}, count));
    for (const auto& each : entries_)
      if (count(each) == least_count_) least_.push_back(each.first);
  }

  std::unordered_map<domain::uuid, busy_entry, domain::uuid_hash> entries_;
  std::uint64_t least_count_ = 0;
  std::vector<domain::uuid> least_; ///< had that count when they were looked for
};

} // namespace roost::actors
