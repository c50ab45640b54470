#include "metrics/registry.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roost::metrics {

namespace {

/// What /proc/PID/stat tells after the process's name, which may hold anything, by the numbers of proc(5).
double number_of_stat(int wanted) {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  constexpr int first_after_name = 3;
  std::istringstream rest(text.substr(text.rfind(')') + 1));
  std::string word;
  for (int i = first_after_name; i <= wanted; ++i) rest >> word;
  return std::stod(word);
}

/// When the machine started, in seconds since 1970.
double boot_time() {
  std::ifstream file("/proc/stat");
  const std::string key = "btime ";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return std::stod(line.substr(key.size()));
  return 0;
}

double start_time() {
  constexpr int start_ticks = 22;
  return boot_time() + number_of_stat(start_ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double pages_in_all = 0, resident_pages = 0;
  file >> pages_in_all >> resident_pages;
  return resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double cpu_seconds() {
  std::timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

/// Since Linux 6.2 the folder's size is their number; before, they have to be counted.
double open_files() {
  struct stat folder {};
  if (::stat("/proc/self/fd", &folder) == 0 && folder.st_size > 0) return static_cast<double>(folder.st_size);
  std::error_code ended;
  const std::filesystem::directory_iterator each("/proc/self/fd", ended);
  return static_cast<double>(std::distance(begin(each), end(each)) - 1); // without the one that counts
}

double max_open_files() {
  ::rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<double>(limit.rlim_cur);
}

} // namespace

process_metrics::process_metrics(registry& registry)
    : resident_memory_(registry.gauge("process_resident_memory_bytes", "Resident memory size in bytes")),
      open_files_(registry.gauge("process_open_fds", "Number of open file descriptors")),
      max_files_(registry.gauge("process_max_fds", "Maximum number of open file descriptors")),
      start_(registry.gauge("process_start_time_seconds",
                            "Start time of the process since unix epoch in seconds")),
      cpu_(registry.counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds")) {
  start_.set(start_time());
}

void process_metrics::collect() {
  resident_memory_.set(resident_memory());
  open_files_.set(open_files());
  max_files_.set(max_open_files());
  const auto cpu = cpu_seconds();
  cpu_.increment(cpu - counted_cpu_);
  counted_cpu_ = cpu;
}

} // namespace roost::metrics
