#include "cli/foreground_terminal.hpp"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace roost::cli {

namespace {

/// Of the controlling terminal; -1 without one, and when it has hung up.
int open_terminal() { return ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC); }

bool ignores_hang_ups() {
  struct sigaction current {};
  return ::sigaction(SIGHUP, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

} // namespace

foreground_terminal::foreground_terminal() : was_there_(false) {
  const int terminal = open_terminal();
  if (terminal < 0) return;
  was_there_ = ::tcgetpgrp(terminal) == ::getpgrp() && !ignores_hang_ups();
  ::close(terminal);
}

bool foreground_terminal::is_gone() const {
  if (!was_there_) return false;
  const int terminal = open_terminal();
  if (terminal >= 0) ::close(terminal);
  return terminal < 0;
}

} // namespace roost::cli
