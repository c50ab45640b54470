#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace roost::top {

/// The terminal that standard output is, or what stands in its place. On a terminal the screen is the view's
/// as long as this lives, and is given back as it was, also when a signal ends the program.
class terminal {
public:
  terminal();
  ~terminal();
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;

  bool is_screen() const { return is_screen_; }
  std::size_t columns() const;
  std::size_t rows() const; ///< 0: no end

  /// On a screen in the place of what was there, else below it.
  void show(const std::vector<std::string>& lines) const;

  /// Waits for so long, or until the user wants to leave: whether he does (q, Ctrl-C, SIGINT, SIGTERM or
  /// SIGHUP).
  bool wait(std::chrono::milliseconds time) const;

private:
  bool is_screen_;
  bool reads_keys_;
};

} // namespace roost::top
