#pragma once

#include <fstream>
#include <functional>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace roost::testing {

/// Evaluates a condition in a process that sees the machine as having been suspended for these seconds: in
/// its time namespace CLOCK_BOOTTIME is ahead, while CLOCK_MONOTONIC, which stops during a suspension, is
/// not. Returns nullopt if the kernel does not permit it, for example because the caller is not root.
inline std::optional<bool> after_suspension(int seconds, const std::function<bool()>& condition) {
  enum { holds, fails, not_permitted };
  const auto wait_for = [](pid_t child) {
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                                 : not_permitted;
  };
  const pid_t child = fork();
  if (child == 0) {
    if (unshare(CLONE_NEWTIME) != 0) _exit(not_permitted);
    std::ofstream offsets("/proc/self/timens_offsets");
    offsets << "boottime " << seconds << " 0" << std::flush;
    if (!offsets) _exit(not_permitted);
    const pid_t suspended = fork(); // only children are in the new namespace
    if (suspended == 0) _exit(condition() ? holds : fails);
    _exit(wait_for(suspended));
  }
  const int result = wait_for(child);
  return result == not_permitted ? std::nullopt : std::optional(result == holds);
}

} // namespace roost::testing
