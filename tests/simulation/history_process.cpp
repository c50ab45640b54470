#include "simulation/history_process.hpp"

#include "simulation/virtual_clock.hpp"

#include <array>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

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

history_result let_happen(const prepared_world& world, const simulation_options& options,
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

[[noreturn]] void happen_in_child(const prepared_world& world, const simulation_options& options,
                                  const std::filesystem::path& folder, int output) {
  const auto text = text_of(let_happen(world, options, folder));
  std::cout.flush();
  for (std::size_t written = 0; written < text.size();) {
    const auto size = ::write(output, text.data() + written, text.size() - written);
    if (size <= 0) ::_exit(1);
    written += static_cast<std::size_t>(size);
  }
  ::_exit(0);
}

std::string read_to_end(int from) {
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = ::read(from, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

} // namespace

history_result run_history(const prepared_world& world, const simulation_options& options,
                           const std::filesystem::path& folder) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  std::cout.flush();
  const auto child = ::fork();
  if (child == 0) happen_in_child(world, options, folder, ends[1]);
  ::close(ends[1]);
  const auto text = read_to_end(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  std::filesystem::remove_all(folder);
  auto result = parse(text);
  if (status != 0) result.failures.push_back("the process ended with status " + std::to_string(status));
  return result;
}

} // namespace roost::testing
