#pragma once

#include "top/view.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace roost::top {

inline constexpr std::size_t min_columns = 80;

/// Draws the view as lines of at most `columns` columns. Unless `rows` is 0, it shortens the tables so that
/// the lines fit; advice and bookings come first.
std::vector<std::string> draw(const view& figures, std::size_t columns, std::size_t rows);

/// Standard output and the keyboard. If standard output is a terminal, this object takes over its screen and
/// restores it in the destructor, also after a signal.
class terminal {
public:
  terminal();
  ~terminal();
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;

  std::size_t columns() const;
  std::size_t rows() const; ///< 0: unlimited

  /// Replaces the screen's content; if standard output is not a terminal, appends to it.
  void show(const std::vector<std::string>& lines) const;

  /// Waits for this long. Returns true early when the user quits (q, Ctrl-C, SIGINT, SIGTERM or SIGHUP).
  bool wait(std::chrono::milliseconds time) const;

private:
  bool is_screen_;
  bool reads_keys_;
};

} // namespace roost::top
