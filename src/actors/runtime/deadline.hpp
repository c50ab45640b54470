#pragma once

#include <chrono>
#include <compare>

namespace roost::actors {

/// Until when somebody waits for an answer, on the monotonic clock. Never over unless a time was given.
class deadline {
public:
  using clock = std::chrono::steady_clock;

  constexpr deadline() = default;
  explicit constexpr deadline(clock::time_point at) : at_(at) {}

  static deadline in(clock::duration time) { return deadline{clock::now() + time}; }

  bool is_over(clock::time_point now = clock::now()) const { return now >= at_; }
  bool is_never() const { return at_ == clock::time_point::max(); }

  friend constexpr auto operator<=>(const deadline&, const deadline&) = default;

  /// Not below zero. Of one that is never over it is the clock's range.
  clock::duration left(clock::time_point now = clock::now()) const {
    return is_over(now) ? clock::duration::zero() : at_ - now;
  }

private:
  clock::time_point at_ = clock::time_point::max();
};

} // namespace roost::actors
