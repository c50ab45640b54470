#pragma once

#include "domain/date.hpp"
#include "store/database/trusted_time.hpp"

#include <chrono>
#include <compare>
#include <functional>

namespace roost::actors {

/// Returns the current time; tests inject their own.
using wall_clock = std::function<domain::timestamp()>;

/// Returns whether a time may be used to change or delete data because of its age, which cannot be undone.
/// Called on a storage thread, in the job that does so.
using time_check = std::function<bool(store::session&, domain::timestamp now)>;

/// Compares the time with the store's trusted time and its clock.
inline bool is_time_trusted(store::session& db, domain::timestamp now) {
  return store::is_time_trusted(db, now);
}

/// Returns whether the clock is far behind the store's trusted time. Then entries of the store only seem to
/// be from the future.
inline bool is_clock_behind(store::session& db, domain::timestamp now) {
  return store::compare_time(db, now, store::read_machine_time()).is_behind();
}

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
