#pragma once

#include "domain/date.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <chrono>
#include <string>

/// The trusted time of a store, which a wrong clock cannot advance. Whatever happens to data because of its
/// age cannot be undone, so it requires a clock that agrees with it.
namespace roost::store {

/// The time since a machine's boot, including suspension. Comparable only within one boot.
struct machine_time {
  std::string boot; ///< identifies the boot
  std::chrono::milliseconds uptime{};
};

/// Reads the uptime from the kernel's clock, which all containers of a machine share, unlike /proc/uptime:
/// LXC shows each container its own. Without /proc, each process counts as a boot of its own. Thread-safe.
machine_time read_machine_time();

/// By how much a clock may be ahead of the trusted time: longer than a machine's restart takes, shorter than
/// the error of a clock that is in the wrong time zone.
inline constexpr std::chrono::minutes max_time_gap{30};

/// By how much the process's and the database's clock may differ. Beyond it, one of them is wrong.
inline constexpr std::chrono::minutes clock_tolerance{1};

/// A clock compared with the trusted time.
struct time_comparison {
  domain::timestamp now{};     ///< by the clock
  domain::timestamp trusted{}; ///< the latest time that it can be

  std::chrono::milliseconds gap() const { return now - trusted; }
  bool agrees() const { return gap() <= max_time_gap; }
  bool is_behind() const { return -gap() > max_time_gap; }
};

/// Returns both times, for operators.
std::string to_string(const time_comparison& compared);

time_comparison compare_time(session& db, domain::timestamp now, const machine_time& machine);

/// Returns the earlier one of the clock's time and the trusted one, so that a clock that is ahead makes
/// nothing look old.
domain::timestamp earlier_time(session& db, domain::timestamp now,
                               const machine_time& machine = read_machine_time());

/// Returns whether the clock agrees with the trusted time and, on PostgreSQL, with the database's clock.
bool is_time_trusted(session& db, domain::timestamp now, const machine_time& machine = read_machine_time());

/// Advances the trusted time by the machine's uptime since the last call, and 5% faster while the clock is
/// ahead of it by less than max_time_gap, to make up for time without a running server. Returns the
/// comparison with the new time. Throws lease_lost.
time_comparison advance_trusted_time(session& db, const lease& held, domain::timestamp now,
                                     const machine_time& machine);

/// Makes the trusted time of a new store advance with the machine's uptime even before a server uses it.
void note_boot(session& db, const machine_time& machine);

/// Sets the trusted time to that of the clock, even backwards: an operator has checked it.
void trust_clock(session& db, domain::timestamp now, const machine_time& machine);

} // namespace roost::store
