#include "cli/interruption.hpp"

namespace roost::cli {

namespace {

volatile std::sig_atomic_t came = 0;

void note_signal(int) { came = 1; }

} // namespace

interruption::interruption() {
  came = 0;
  struct sigaction once {};
  once.sa_handler = note_signal;
  once.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &once, &on_interrupt_);
  sigaction(SIGTERM, &once, &on_end_);
}

interruption::~interruption() {
  sigaction(SIGINT, &on_interrupt_, nullptr);
  sigaction(SIGTERM, &on_end_, nullptr);
}

bool interruption::is_wanted() { return came != 0; }

} // namespace roost::cli
