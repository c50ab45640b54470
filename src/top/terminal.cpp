#include "top/terminal.hpp"

#include "top/screen.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace roost::top {

namespace {

constexpr const char* enter_screen = "\033[?1049h\033[?25l";
constexpr const char* leave_screen = "\033[?25h\033[?1049l";
constexpr char ctrl_c = 3;

volatile std::sig_atomic_t told_to_end = 0;
termios before{};

void note_signal(int) { told_to_end = 1; }

void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Without SA_RESTART, so that poll() returns.
void catch_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

winsize size_of_screen() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  return size;
}

} // namespace

terminal::terminal()
    : is_screen_(isatty(STDOUT_FILENO) == 1), reads_keys_(is_screen_ && isatty(STDIN_FILENO) == 1) {
  catch_signals();
  if (reads_keys_) {
    tcgetattr(STDIN_FILENO, &before);
    auto keys = before;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
    keys.c_cc[VMIN] = 0;
    keys.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
  }
  if (is_screen_) put(enter_screen);
}

terminal::~terminal() {
  if (is_screen_) put(leave_screen);
  if (reads_keys_) tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

std::size_t terminal::columns() const {
  return is_screen_ ? std::max<std::size_t>(size_of_screen().ws_col, least_columns) : least_columns;
}

std::size_t terminal::rows() const { return is_screen_ ? size_of_screen().ws_row : 0; }

void terminal::show(const std::vector<std::string>& lines) const {
  std::string text = is_screen_ ? "\033[H" : "";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += lines[i];
    if (is_screen_) text += "\033[K";
    if (!is_screen_ || i + 1 < lines.size()) text += is_screen_ ? "\r\n" : "\n";
  }
  text += is_screen_ ? "\033[J" : "\n";
  put(text);
}

bool terminal::wait(std::chrono::milliseconds time) const {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!told_to_end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd keys{reads_keys_ ? STDIN_FILENO : -1, POLLIN, 0};
    if (poll(&keys, 1, static_cast<int>(left.count())) <= 0) continue;
    char key = 0;
    const auto got = read(STDIN_FILENO, &key, 1);
    if (got == 1 && (key == 'q' || key == 'Q' || key == ctrl_c)) return true;
    if (got <= 0) return true; // the terminal is gone
  }
  return true;
}

} // namespace roost::top
