#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace roost::testing {

/// What is started, and where.
struct program_call {
  std::string program;
  std::vector<std::string> arguments;
  std::filesystem::path folder;                   ///< its working directory
  std::map<std::string, std::string> environment; ///< added to the test's own, of which ROOST_… is left out
  std::string input;                              ///< what it reads on standard input
  std::map<int, int> descriptors;                 ///< more that it finds open, by their numbers there: ours
  bool has_terminal = false; ///< it begins a session on a terminal, in whose foreground it is
};

/// A program that runs beside the test and ends with it at the latest. What it writes is read as it comes.
class child_process {
public:
  explicit child_process(const program_call& call);
  ~child_process();
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  pid_t id() const { return id_; }
  void send_signal(int signal) const;

  /// Hangs up the terminal that it has.
  void close_terminal();

  /// SIGSTOP; it stands still, with all its threads, when this returns.
  void halt() const;

  /// The exit status, or 128 and the signal's number (as a shell says it). Nothing when it still runs after
  /// `patience`.
  std::optional<int> wait_for_end(std::chrono::milliseconds patience);

  /// Everything written so far.
  std::string output() const;
  std::string errors() const;

  /// The first line on standard error, from the `from`th on, for which `matches` holds; waits for it. Nothing
  /// when it does not come within `patience`, or the program ends without it.
  std::optional<std::string> wait_for_line(const std::function<bool(std::string_view)>& matches,
                                           std::chrono::milliseconds patience, std::size_t from = 0) const;
  /// The lines on standard error so far.
  std::vector<std::string> lines() const;

private:
  struct pipes;
  void start(const program_call& call, const pipes& ends);
  void read_all(pipes ends, std::string input);

  pid_t id_ = -1;
  int handle_ = -1;   ///< pidfd: becomes readable when the process ends
  int terminal_ = -1; ///< the side of it on which people sit
  std::optional<int> status_;
  mutable std::mutex mutex_;
  mutable std::condition_variable grown_;
  std::string output_, errors_;
  bool finished_ = false; ///< both streams are at their end
  std::thread reader_;
};

} // namespace roost::testing
