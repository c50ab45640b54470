#include "processor.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace roost::contention {

namespace {

double read_clock(clockid_t which) {
  timespec now{};
  clock_gettime(which, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// Of /proc/PID/stat (proc(5)), from the third field on: the second may hold spaces.
std::vector<std::string> fields_of(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream rest(text.substr(name_end + 1));
  std::vector<std::string> fields;
  for (std::string field; rest >> field;) fields.push_back(field);
  return fields;
}

constexpr std::size_t parent = 1, user_time = 11, system_time = 12, waited_user = 13, waited_system = 14;

} // namespace

double time_of_process() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double time_of_thread() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

double time_of_tree(pid_t root) {
  const auto wanted = std::to_string(root);
  long ticks = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto process = entry.path().filename().string();
    if (process.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto fields = fields_of(process);
    if (fields.size() <= waited_system || (process != wanted && fields[parent] != wanted)) continue;
    ticks += std::stol(fields[user_time]) + std::stol(fields[system_time]);
    if (process == wanted) ticks += std::stol(fields[waited_user]) + std::stol(fields[waited_system]);
  }
  return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace roost::contention
