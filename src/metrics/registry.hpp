#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// What the service counts, in Prometheus' terms and text form. The library stays behind this header.
namespace roost::metrics {

using labels = std::map<std::string, std::string>;

/// Handles are small and copyable and point into their registry, which must outlive them. Any thread may use
/// them. Look them up once, keep them: a look-up takes a lock, an increment does not.
class counter {
public:
  counter() = default; ///< counts nowhere: only to be assigned to
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
  /// So many more values for each bucket, the one above the last bound included, and their sum.
  void observe_many(const std::vector<double>& more, double sum) const;

private:
  friend class registry;
  explicit histogram(void* metric) : metric_(metric) {}
  void* metric_;
};

/// Upper bounds of latency buckets in seconds, 50 µs to 10 s.
const std::vector<double>& latency_buckets();

/// All metrics of the process. Asking twice for the same name and labels gives the same metric; a name keeps
/// the kind and the help text of its first use (another kind throws std::invalid_argument).
class registry {
public:
  registry();
  ~registry();
  registry(const registry&) = delete;
  registry& operator=(const registry&) = delete;

  metrics::counter counter(const std::string& name, const std::string& help, const labels& labels = {});
  metrics::gauge gauge(const std::string& name, const std::string& help, const labels& labels = {});
  metrics::histogram histogram(const std::string& name, const std::string& help, const labels& labels = {},
                               const std::vector<double>& buckets = latency_buckets());

  /// Runs before every scrape, on the scraping thread: for values that are read rather than counted. It must
  /// not block; what it throws leaves its values as they were and is counted in roost_scrape_failures_total.
  void on_scrape(std::function<void()> callback);

  /// The exposition text (text/plain; version=0.0.4).
  std::string scrape();

private:
  metrics::counter scrape_failures();

  struct state;
  std::unique_ptr<state> state_;
};

} // namespace roost::metrics
