#pragma once

#include "domain/date.hpp"

#include <chrono>
#include <compare>
#include <functional>

namespace roost::actors {

/// Returns the current time; tests inject their own.
using wall_clock = std::function<domain::timestamp()>;

/// The maximum difference between the process's clock and the database's. Beyond it, one of them is wrong.
inline constexpr std::chrono::minutes clock_tolerance{1};

inline domain::timestamp system_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// How long a caller waits for a response, on the monotonic clock. A default-constructed deadline never
/// passes.
class deadline {
public:
  using clock = std::chrono::steady_clock;

  constexpr deadline() = default;
  explicit constexpr deadline(clock::time_point at) : at_(at) {}

  static deadline in(clock::duration time) { return deadline{clock::now() + time}; }

  bool has_passed(clock::time_point now = clock::now()) const { return now >= at_; }
  bool is_never() const { return at_ == clock::time_point::max(); }

  friend constexpr auto operator<=>(const deadline&, const deadline&) = default;

  /// Never negative. If the deadline never passes, close to the clock's maximum.
  clock::duration remaining(clock::time_point now = clock::now()) const {
    return has_passed(now) ? clock::duration::zero() : at_ - now;
  }

private:
  clock::time_point at_ = clock::time_point::max();
};

} // namespace roost::actors
