#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace roost::actors {

/// Moves with every change of any unit: whoever made something of many units sees at a glance that it still
/// holds.
class change_clock {
public:
  std::uint64_t now() const { return ticks_.load(); }

  /// Another time than ever before.
  std::uint64_t tick() { return ticks_.fetch_add(1) + 1; }

private:
  std::atomic<std::uint64_t> ticks_{0};
};

/// When a unit's listings may last have changed, for whoever must know without asking its calendar.
///
/// The calendar notes each change in the turn in which it takes it up. Whoever sends it one that somebody
/// waits for notes it, too, after sending: from then on a reader sees the note, and what it asks the calendar
/// comes after the change.
class unit_changes {
public:
  explicit unit_changes(std::shared_ptr<change_clock> clock)
      : clock_(std::move(clock)), latest_(clock_->tick()) {}

  /// No two units ever have the same, and none has one twice.
  std::uint64_t latest() const { return latest_.load(); }

  /// Any thread.
  void note() {
    latest_.store(clock_->tick());
    clock_->tick(); // who saw the first tick may have looked at the unit before the note
  }

private:
  std::shared_ptr<change_clock> clock_;
  std::atomic<std::uint64_t> latest_;
};

} // namespace roost::actors
