#include "cli/input.hpp"

#include "cli/argument_checks.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <termios.h>
#include <unistd.h>

namespace roost::cli {

namespace {

/// Turns off the echo of the terminal on standard input during its lifetime.
class hidden_typing {
public:
  hidden_typing() : is_terminal_(::tcgetattr(STDIN_FILENO, &saved_) == 0) {
    if (!is_terminal_) return;
    termios hidden = saved_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
  }
  ~hidden_typing() {
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved_);
  }
  hidden_typing(const hidden_typing&) = delete;
  hidden_typing& operator=(const hidden_typing&) = delete;

  bool is_terminal() const { return is_terminal_; }

private:
  termios saved_{};
  bool is_terminal_;
};

} // namespace

/// Reads until the end instead of asking for the size, because pipes have none.
std::string read_file(const std::string& name) {
  std::error_code ignored;
  errno = 0;
  std::ifstream file{name, std::ios::binary};
  if (!file) throw usage_error(name + ": cannot be read: " + std::generic_category().message(errno));
  if (std::filesystem::is_directory(name, ignored)) throw usage_error(name + ": is a folder, not a file");
  std::string text;
  constexpr std::size_t step = 1 << 20;
  std::size_t size = 0;
  do {
    text.resize(size + step);
    file.read(text.data() + size, step);
    size += static_cast<std::size_t>(file.gcount());
  } while (file);
  if (file.bad())
    throw usage_error(name + ": cannot be read to its end: " + std::generic_category().message(errno));
  text.resize(size);
  return text;
}

std::string read_hidden_line(const char* prompt) {
  const hidden_typing hidden;
  if (hidden.is_terminal()) std::cerr << prompt << std::flush;
  std::string line;
  std::getline(std::cin, line);
  if (hidden.is_terminal()) std::cerr << '\n';
  return line;
}

} // namespace roost::cli
