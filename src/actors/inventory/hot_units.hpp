#pragma once

#include "domain/account.hpp"
#include "domain/uuid.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace roost::actors {

/// Counts of a unit or an account over some seconds.
struct hot_entry {
  domain::uuid id{};
  std::string name;
  std::uint64_t reads = 0;    ///< estimated: one in hot_units::read_sampling is counted
  std::uint64_t reserved = 0; ///< stays whose nights were reserved
  std::uint64_t refused = 0;  ///< stays whose nights were refused

  std::uint64_t total() const { return reads + reserved + refused; }
};

/// The most frequent of many ids, by the Space-Saving algorithm: when the list is full, a new id replaces the
/// one with the lowest count and inherits its count. So a count may be too high by the lowest count at most,
/// and every id with more than the lowest count is in the list. Not thread-safe.
class hot_list {
public:
  static constexpr std::size_t capacity = 256;

  void add(const domain::uuid& id, const std::string& name, std::uint64_t hot_entry::*counter,
           std::uint64_t by) {
    auto found = entries_.find(id);
    if (found == entries_.end()) {
      hot_entry entry{id, name};
      if (entries_.size() == capacity) entry.reads = evict_lowest();
      found = entries_.emplace(id, std::move(entry)).first;
    }
    found->second.*counter += by;
  }

  /// Returns at most `max` entries, the highest total first.
  std::vector<hot_entry> hottest(std::size_t max) const {
    std::vector<hot_entry> all;
    for (const auto& [id, entry] : entries_) all.push_back(entry);
    std::ranges::sort(all, [](const auto& a, const auto& b) {
      return a.total() != b.total() ? a.total() > b.total() : a.id < b.id;
    });
    if (all.size() > max) all.resize(max);
    return all;
  }

private:
  /// Finds all entries with the lowest count together, and evicts them one by one as long as they still have
  /// it: counts only increase. Searching for each new id would cost more than the counted reads if many units
  /// are read equally often.
  std::uint64_t evict_lowest() {
    for (;;) {
      for (; !lowest_.empty(); lowest_.pop_back()) {
        const auto found = entries_.find(lowest_.back());
        if (found == entries_.end() || found->second.total() != lowest_count_) continue;
        entries_.erase(found);
        return lowest_count_;
      }
      find_lowest();
    }
  }

  void find_lowest() {
    const auto total = [](const auto& entry) { return entry.second.total(); };
    lowest_count_ = total(*std::ranges::min_element(entries_, {}, total));
    for (const auto& entry : entries_)
      if (total(entry) == lowest_count_) lowest_.push_back(entry.first);
  }

  std::unordered_map<domain::uuid, hot_entry, domain::uuid_hash> entries_;
  std::uint64_t lowest_count_ = 0;
  std::vector<domain::uuid> lowest_; ///< had this count when they were found
};

/// The units and accounts with the most requests at the moment. Calendars record requests on any thread.
class hot_units {
public:
  static constexpr unsigned read_sampling = 16;

  struct report {
    std::chrono::duration<double> period{};
    std::vector<hot_entry> units, accounts;
  };

  void record_read(const domain::uuid& unit, const std::string& name, const domain::account& owner);
  void record_stay(const domain::uuid& unit, const std::string& name, const domain::account& owner,
                   bool reserved);

  /// Returns the counts of the last ten to twenty seconds (less if the process has just started).
  report busiest(std::size_t max);

private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds window{10};

  struct counts {
    clock::time_point since;
    hot_list units, accounts;
  };

  void record(const domain::uuid& unit, const std::string& name, const domain::account& owner,
              std::uint64_t hot_entry::*counter, std::uint64_t by);
  void rotate(clock::time_point now);

  std::mutex mutex_;
  counts current_{clock::now(), {}, {}};
  counts previous_{current_};
};

/// `{"seconds":…,"units":[…],"accounts":[…]}`
std::string to_json(const hot_units::report& report);

} // namespace roost::actors
