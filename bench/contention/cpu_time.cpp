#include "cpu_time.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace roost::contention {

namespace {

double read_clock(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// Returns the fields of /proc/PID/stat (proc(5)) from the third on; the second may contain spaces.
std::vector<std::string> stat_fields(const std::string& process) {
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

double process_cpu_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double thread_cpu_seconds() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

double process_tree_cpu_seconds(pid_t root) {
  const auto root_id = std::to_string(root);
  long ticks = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto process = entry.path().filename().string();
    if (process.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto fields = stat_fields(process);
    if (fields.size() <= waited_system || (process != root_id && fields[parent] != root_id)) continue;
    ticks += std::stol(fields[user_time]) + std::stol(fields[system_time]);
    if (process == root_id) ticks += std::stol(fields[waited_user]) + std::stol(fields[waited_system]);
  }
  return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace roost::contention
