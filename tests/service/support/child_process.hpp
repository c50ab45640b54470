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

/// A program to start, with its arguments and environment.
struct process_options {
  std::string program;
  std::vector<std::string> arguments;
  std::filesystem::path folder; ///< the working directory
  std::map<std::string, std::string>
      environment;                ///< added to that of the test, without its ROOST_… variables
  std::string input;              ///< its standard input
  std::map<int, int> descriptors; ///< further open descriptors: child's number to ours
  bool has_terminal = false;      ///< starts it in the foreground of a new terminal session
};

/// A child process, killed by the destructor. A thread collects its output.
class child_process {
public:
  explicit child_process(const process_options& options);
  ~child_process();
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  pid_t id() const { return id_; }
  void send_signal(int signal) const;

  /// Hangs up its terminal.
  void close_terminal();

  /// Sends SIGSTOP and waits until all threads of the process are stopped.
  void suspend() const;

  /// Returns the exit status, or 128 plus the signal's number as a shell does; nullopt on timeout.
  std::optional<int> wait_for_end(std::chrono::milliseconds timeout);

  /// Whether output() and errors() are complete because the process has ended.
  bool has_ended() const;

  /// Standard output and standard error so far.
  std::string output() const;
  std::string errors() const;

  /// Waits for a line on standard error, from index `from` on, for which `matches` is true; nullopt on
  /// timeout or when the program ends without one.
  std::optional<std::string> wait_for_line(const std::function<bool(std::string_view)>& matches,
                                           std::chrono::milliseconds timeout, std::size_t from = 0) const;
  /// The complete lines on standard error so far.
  std::vector<std::string> lines() const;

private:
  struct pipes;
  void start(const process_options& options, const pipes& ends);
  void read_all(pipes ends, std::string input);

  pid_t id_ = -1;
  int handle_ = -1;   ///< a pidfd, readable once the process has ended
  int terminal_ = -1; ///< the master side of the pseudoterminal
  std::optional<int> status_;
  mutable std::mutex mutex_;
  mutable std::condition_variable output_changed_;
  std::string output_, errors_;
  bool finished_ = false; ///< both streams have reached end of file
  std::thread reader_;
};

} // namespace roost::testing
