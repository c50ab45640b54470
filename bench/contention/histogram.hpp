#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace roost::contention {

/// A histogram of durations whose buckets are at most a thousandth of their value wide, like HdrHistogram
/// with three significant digits: 2,048 buckets of equal width up to 2,048 ns, then 1,024 for each doubling.
/// Debian 12 has no HdrHistogram for C++.
class histogram {
public:
  histogram() : counts_(slots) {}

  /// Clamps values to the range: 0 to about 19 hours.
  void record(std::int64_t nanoseconds) {
    ++counts_[slot_of(nanoseconds)];
    ++total_;
  }

  void merge(const histogram& other) {
    for (std::size_t i = 0; i < slots; ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
  }

  std::uint64_t total() const { return total_; }

  /// Returns the highest value of the first bucket up to which `percent` of all values lie; 0 if empty.
  std::int64_t percentile(double percent) const {
    const auto rank = static_cast<double>(total_) * percent / 100;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < slots; ++i) {
      seen += counts_[i];
      if (seen > 0 && static_cast<double>(seen) >= rank) return highest_in(i);
    }
    return 0;
  }

  std::int64_t max() const { return percentile(100); }

  /// Returns the highest value and the count of each non-empty bucket, in ascending order.
  std::vector<std::pair<std::int64_t, std::uint64_t>> filled() const {
    std::vector<std::pair<std::int64_t, std::uint64_t>> buckets;
    for (std::size_t i = 0; i < slots; ++i)
      if (counts_[i] > 0) buckets.emplace_back(highest_in(i), counts_[i]);
    return buckets;
  }

private:
  static constexpr int bits = 10; ///< of a bucket's index within its doubling
  static constexpr std::size_t half = std::size_t{1} << bits;
  static constexpr int doublings = 36;
  static constexpr std::size_t slots = half * (doublings + 1);
  static constexpr std::int64_t max_value = static_cast<std::int64_t>((half << doublings) - 1);

  static std::size_t slot_of(std::int64_t value) {
    const auto v = static_cast<std::uint64_t>(value < 0 ? 0 : value > max_value ? max_value : value);
    const int shift = v < 2 * half ? 0 : static_cast<int>(std::bit_width(v)) - bits - 1;
    return (v >> shift) + static_cast<std::size_t>(shift) * half;
  }

  static std::int64_t highest_in(std::size_t slot) {
    const std::size_t shift = slot < 2 * half ? 0 : slot / half - 1;
    const auto index = slot - shift * half;
    return static_cast<std::int64_t>(((index + 1) << shift) - 1);
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

} // namespace roost::contention
