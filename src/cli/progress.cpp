#include "cli/progress.hpp"

#include <cstdio>
#include <unistd.h>

namespace roost::cli {

namespace {

constexpr std::chrono::milliseconds show_after{300};
constexpr int width = 40;

} // namespace

progress_bar::progress_bar(std::string label)
    : label_(std::move(label)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

progress_bar::~progress_bar() {
  if (is_visible_) std::fputs("\r\033[K", stderr);
}

void progress_bar::show(std::size_t done, std::size_t total) {
  if (!on_terminal_ || total == 0) return;
  const int percent = static_cast<int>(done * 100 / total);
  if (percent == percent_ || std::chrono::steady_clock::now() - started_ < show_after) return;
  percent_ = percent;
  is_visible_ = true;
  const int filled = percent * width / 100;
  std::fprintf(stderr, "\r%s [%s%s] %d %%", label_.c_str(), std::string(filled, '#').c_str(),
               std::string(width - filled, '.').c_str(), percent);
}

} // namespace roost::cli
