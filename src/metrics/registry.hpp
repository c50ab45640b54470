#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// Metrics in Prometheus' terms and text format. Hides prometheus-cpp from the other components.
namespace roost::metrics {

using labels = std::map<std::string, std::string>;

/// A handle to a metric: small, copyable and thread-safe. It points into its registry, which must outlive it.
/// Keep handles instead of looking them up again: a look-up takes a lock, an increment does not.
class counter {
public:
  counter() = default; ///< no metric: assign before use
  explicit operator bool() const { return metric_ != nullptr; }

  void increment(double by = 1) const;

private:
  friend class registry;
  explicit counter(void* metric) : metric_(metric) {}
  void* metric_ = nullptr;
};

class gauge {
public:
  void set(double value) const;
  void increment(double by = 1) const;
  void decrement(double by = 1) const;

private:
  friend class registry;
  explicit gauge(void* metric) : metric_(metric) {}
  void* metric_;
};

class histogram {
public:
  void observe(double value) const;
  /// Adds a number of values to each bucket, including the one above the last bound, and `sum` to their sum.
  void observe_many(const std::vector<double>& counts, double sum) const;

private:
  friend class registry;
  explicit histogram(void* metric) : metric_(metric) {}
  void* metric_;
};

/// The upper bounds of latency buckets in seconds: 50 µs to 10 s. Only for histograms without labels: each
/// bucket is a line of every scrape, for every label set.
const std::vector<double>& latency_buckets();
/// The upper bounds of buckets for the durations of background work in seconds: 1 ms to 10 s.
const std::vector<double>& work_buckets();

/// Whether a scrape shows a histogram that has no values yet. rate() cannot see the first values of a
/// histogram that appears with them, so those of alerts that a few values trigger are shown.
enum class when_empty { hidden, shown };

/// All metrics of the process. The same name and labels always return the same metric. A name keeps the kind
/// and the help text of its first use; another kind throws std::invalid_argument.
class registry {
public:
  registry();
  ~registry();
  registry(const registry&) = delete;
  registry& operator=(const registry&) = delete;

  metrics::counter counter(const std::string& name, const std::string& help, const labels& labels = {});
  metrics::gauge gauge(const std::string& name, const std::string& help, const labels& labels = {});
  metrics::histogram histogram(const std::string& name, const std::string& help, const labels& labels = {},
                               const std::vector<double>& buckets = latency_buckets(),
                               when_empty empty = when_empty::hidden);

  /// Registers a callback that runs before every scrape on the scraping thread, for values that are read
  /// rather than counted. It must not block. An exception leaves its values unchanged and is counted in
  /// roost_scrape_failures_total.
  void on_scrape(std::function<void()> callback);

  /// Returns all metrics in the exposition format (text/plain; version=0.0.4), without hidden empty
  /// histograms.
  std::string scrape();

private:
  metrics::counter scrape_failures();

  struct state;
  std::unique_ptr<state> state_;
};

/// Metrics of this process from the operating system, under the names of all Prometheus client libraries.
class process_metrics {
public:
  explicit process_metrics(registry& registry);

  /// Updates the values. Not thread-safe.
  void collect();

private:
  gauge resident_memory_, open_files_, max_files_, start_;
  counter cpu_;
  double counted_cpu_ = 0;
};

} // namespace roost::metrics
