#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace roost::cli {

/// A progress bar on stderr. It appears only on a terminal, and only once the work has taken a moment.
class progress_bar {
public:
  explicit progress_bar(std::string label);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void show(std::size_t done, std::size_t total);

private:
  std::string label_;
  bool on_terminal_;
  bool is_visible_ = false;
  int percent_ = -1;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

} // namespace roost::cli
