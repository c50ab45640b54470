#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace roost::actors {

/// Adds to a number that one thread writes and others read: no bus lock, as an atomic addition would take.
template <typename Number>
void add_alone(std::atomic<Number>& to, Number by) {
  to.store(to.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

/// How many durations fell into which bucket, and their sum. One thread adds, any thread reads.
class duration_tally {
public:
  static constexpr std::size_t buckets = 8;
  /// Upper bounds in nanoseconds; what is above the last one is in the last bucket.
  static constexpr std::array<std::int64_t, buckets - 1> bounds{
      10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000, 10'000'000'000};

  void add(std::chrono::nanoseconds took) {
    std::size_t at = 0;
    while (at < bounds.size() && took.count() > bounds[at]) ++at;
    add_alone(counts_[at], std::uint64_t{1});
    add_alone(sum_, took.count());
  }

  std::uint64_t in_bucket(std::size_t at) const { return counts_[at].load(std::memory_order_relaxed); }
  std::chrono::nanoseconds sum() const {
    return std::chrono::nanoseconds{sum_.load(std::memory_order_relaxed)};
  }

private:
  std::array<std::atomic<std::uint64_t>, buckets> counts_{};
  std::atomic<std::int64_t> sum_{0};
};

/// What one thread has counted of one type of actors.
struct run_tally {
  duration_tally runs;
  duration_tally waits; ///< of some messages in their mailboxes
  std::atomic<std::uint64_t> messages{0};
  /// Most messages that an actor found in its mailbox when it took one, that one included, since a reader
  /// last looked.
  std::atomic<std::uint32_t> deepest{0};
};

} // namespace roost::actors
