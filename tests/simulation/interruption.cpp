#include "simulation/interruption.hpp"

#include <csignal>
#include <initializer_list>
#include <sys/prctl.h>

namespace roost::testing::interruption {

namespace {

volatile std::sig_atomic_t pending = 0;

constexpr std::initializer_list<int> signals{SIGINT, SIGTERM, SIGHUP, SIGPIPE};

/// Without SA_RESTART, so that a wait for a child process ends.
void handle_by(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (const int each : signals) ::sigaction(each, &action, nullptr);
}

} // namespace

void catch_signals() {
  handle_by([](int) { pending = 1; });
}

bool is_pending() { return pending != 0; }

void end_with_parent() {
  handle_by(SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

} // namespace roost::testing::interruption
