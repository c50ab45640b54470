#include "cli/hidden_input.hpp"

#include <iostream>
#include <termios.h>
#include <unistd.h>

namespace roost::cli {

namespace {

/// The terminal on standard input shows nothing that is typed while this lives.
class hidden_typing {
public:
  hidden_typing() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!is_terminal_) return;
    termios hidden = before_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
  }
  ~hidden_typing() {
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }
  hidden_typing(const hidden_typing&) = delete;
  hidden_typing& operator=(const hidden_typing&) = delete;

  bool is_terminal() const { return is_terminal_; }

private:
  termios before_{};
  bool is_terminal_;
};

} // namespace

std::string read_hidden_line(const char* prompt) {
  const hidden_typing hidden;
  if (hidden.is_terminal()) std::cerr << prompt << std::flush;
  std::string line;
  std::getline(std::cin, line);
  if (hidden.is_terminal()) std::cerr << '\n';
  return line;
}

} // namespace roost::cli
