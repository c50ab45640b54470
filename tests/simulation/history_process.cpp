#include "simulation/history_process.hpp"

#include "simulation/interruption.hpp"
#include "simulation/virtual_clock.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace roost::testing {

namespace {

/// Writes the fingerprint, and then a line for each failure.
std::string text_of(const history_result& result) {
  std::string text = std::to_string(result.fingerprint) + '\n';
  for (auto line : result.failures) {
    for (auto& each : line)
      if (each == '\n') each = ' ';
    text += line + '\n';
  }
  return text;
}

history_result parse(const std::string& text) {
  history_result result;
  std::istringstream lines(text);
  lines >> result.fingerprint >> std::ws;
  for (std::string line; std::getline(lines, line);) result.failures.push_back(line);
  return result;
}

history_result simulate(const prepared_world& world, const simulation_options& options,
                        const std::filesystem::path& folder) {
  virtual_clock::start(options.seed);
  try {
    simulation history(world, options, folder);
    auto failures = history.run();
    return {history.fingerprint(), std::move(failures)};
  } catch (const std::exception& fault) {
    return {0, {fault.what()}};
  }
}

/// Discards the errors that servers log, which are expected. Without this, they would hide the reason of a
/// crash.
void silence_log() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void simulate_in_child(const prepared_world& world, const simulation_options& options,
                                    const std::filesystem::path& folder, int output) {
  interruption::end_with_parent();
  if (!options.story) silence_log();
  const auto text = text_of(simulate(world, options, folder));
  std::cout.flush();
  for (std::size_t written = 0; written < text.size();) {
    const auto size = ::write(output, text.data() + written, text.size() - written);
    if (size <= 0) ::_exit(1);
    written += static_cast<std::size_t>(size);
  }
  ::_exit(0);
}

/// Reads all output of the child; kills it if this process is interrupted.
std::string read_to_end(int from, pid_t child) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    if (interruption::is_pending()) ::kill(child, SIGKILL);
    const auto size = ::read(from, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
}

/// Returns why the process failed; empty if it did not.
std::string failure_of(int status) {
  if (WIFSIGNALED(status)) return std::string("the process was ended by ") + ::strsignal(WTERMSIG(status));
  if (status != 0) return "the process ended with status " + std::to_string(WEXITSTATUS(status));
  return {};
}

} // namespace

history_result run_history(const prepared_world& world, const simulation_options& options,
                           const std::filesystem::path& folder) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  std::cout.flush();
  const auto child = ::fork();
  if (child == 0) simulate_in_child(world, options, folder, ends[1]);
  ::close(ends[1]);
  const auto text = read_to_end(ends[0], child);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  std::filesystem::remove_all(folder);
  auto result = parse(text);
  if (auto failure = failure_of(status); !failure.empty()) result.failures.push_back(std::move(failure));
  return result;
}

} // namespace roost::testing
