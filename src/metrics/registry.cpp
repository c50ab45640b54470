#include "metrics/registry.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roost::metrics {

namespace {

/// Reads a field of /proc/self/stat after the process name by its number in proc(5).
double stat_field(int number) {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  constexpr int first_after_name = 3;
  std::istringstream rest(text.substr(text.rfind(')') + 1));
  std::string word;
  for (int i = first_after_name; i <= number; ++i) rest >> word;
  return std::stod(word);
}

/// Returns when the machine was booted, in seconds since 1970.
double boot_time() {
  std::ifstream file("/proc/stat");
  const std::string key = "btime ";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return std::stod(line.substr(key.size()));
  return 0;
}

double start_time() {
  constexpr int start_ticks = 22;
  return boot_time() + stat_field(start_ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double all_pages = 0, resident_pages = 0;
  file >> all_pages >> resident_pages;
  return resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double cpu_seconds() {
  std::timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

/// Since Linux 6.2 the size of /proc/self/fd is the number of open files; older kernels require counting.
double open_files() {
  struct stat folder {};
  if (::stat("/proc/self/fd", &folder) == 0 && folder.st_size > 0) return static_cast<double>(folder.st_size);
  std::error_code ignored;
  const std::filesystem::directory_iterator files("/proc/self/fd", ignored);
  return static_cast<double>(std::distance(begin(files), end(files)) - 1); // without the iterator's own
}

double max_open_files() {
  ::rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<double>(limit.rlim_cur);
}

/// Removes the histograms without values, except those of the families in `shown`.
void remove_empty_histograms(std::vector<prometheus::MetricFamily>& families,
                             const std::set<std::string>& shown) {
  for (auto& family : families) {
    if (family.type != prometheus::MetricType::Histogram || shown.contains(family.name)) continue;
    std::erase_if(family.metric, [](const auto& metric) { return metric.histogram.sample_count == 0; });
  }
  std::erase_if(families, [](const auto& family) { return family.metric.empty(); });
}

} // namespace

void counter::increment(double by) const { static_cast<prometheus::Counter*>(metric_)->Increment(by); }

void gauge::set(double value) const { static_cast<prometheus::Gauge*>(metric_)->Set(value); }
void gauge::increment(double by) const { static_cast<prometheus::Gauge*>(metric_)->Increment(by); }
void gauge::decrement(double by) const { static_cast<prometheus::Gauge*>(metric_)->Decrement(by); }

void histogram::observe(double value) const { static_cast<prometheus::Histogram*>(metric_)->Observe(value); }
void histogram::observe_many(const std::vector<double>& counts, double sum) const {
  static_cast<prometheus::Histogram*>(metric_)->ObserveMultiple(counts, sum);
}

const std::vector<double>& latency_buckets() {
  static const std::vector<double> bounds{0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                          0.05,    0.1,    0.25,    0.5,    1,     2.5,    5,     10};
  return bounds;
}

const std::vector<double>& work_buckets() {
  static const std::vector<double> bounds{0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10};
  return bounds;
}

struct registry::state {
  // Merge: a second look-up of a family returns the first one.
  prometheus::Registry metrics{prometheus::Registry::InsertBehavior::Merge};
  std::mutex mutex;
  std::vector<std::function<void()>> callbacks;
  std::mutex shown_mutex;                 ///< not `mutex`: callbacks create metrics
  std::set<std::string> shown_when_empty; ///< the names of histograms
};

registry::registry() : state_(std::make_unique<state>()) { scrape_failures(); }
registry::~registry() = default;

metrics::counter registry::counter(const std::string& name, const std::string& help, const labels& labels) {
  return metrics::counter(
      &prometheus::BuildCounter().Name(name).Help(help).Register(state_->metrics).Add(labels));
}

metrics::gauge registry::gauge(const std::string& name, const std::string& help, const labels& labels) {
  return metrics::gauge(
      &prometheus::BuildGauge().Name(name).Help(help).Register(state_->metrics).Add(labels));
}

metrics::histogram registry::histogram(const std::string& name, const std::string& help, const labels& labels,
                                       const std::vector<double>& buckets, when_empty empty) {
  if (empty == when_empty::shown) {
    const std::lock_guard guard(state_->shown_mutex);
    state_->shown_when_empty.insert(name);
  }
  return metrics::histogram(
      &prometheus::BuildHistogram().Name(name).Help(help).Register(state_->metrics).Add(labels, buckets));
}

metrics::counter registry::scrape_failures() {
  return counter("roost_scrape_failures_total", "Callbacks that failed while metrics were collected");
}

void registry::on_scrape(std::function<void()> callback) {
  const std::lock_guard guard(state_->mutex);
  state_->callbacks.push_back(std::move(callback));
}

std::string registry::scrape() {
  // The lock keeps concurrent scrapes from interleaving the writes of their callbacks.
  const std::lock_guard guard(state_->mutex);
  for (const auto& callback : state_->callbacks) {
    try {
      callback();
    } catch (...) {
      scrape_failures().increment();
    }
  }
  auto families = state_->metrics.Collect();
  const std::lock_guard shown_guard(state_->shown_mutex);
  remove_empty_histograms(families, state_->shown_when_empty);
  return prometheus::TextSerializer().Serialize(families);
}

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
