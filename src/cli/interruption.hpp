#pragma once

#include <csignal>
#include <stdexcept>

namespace roost::cli {

/// What a long command throws that was asked to end, when it has come to a place where it can.
class interrupted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// During its lifetime SIGINT and SIGTERM do not end the process: the command asks whether one came. A second
/// one does.
class interruption {
public:
  interruption();
  ~interruption();
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  static bool is_wanted();

private:
  struct sigaction on_interrupt_ {
  }, on_end_{};
};

} // namespace roost::cli
