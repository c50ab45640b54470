#include "metrics/registry.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <mutex>

namespace roost::metrics {

void counter::increment(double by) const { static_cast<prometheus::Counter*>(metric_)->Increment(by); }

void gauge::set(double value) const { static_cast<prometheus::Gauge*>(metric_)->Set(value); }
void gauge::increment(double by) const { static_cast<prometheus::Gauge*>(metric_)->Increment(by); }
void gauge::decrement(double by) const { static_cast<prometheus::Gauge*>(metric_)->Decrement(by); }

void histogram::observe(double value) const { static_cast<prometheus::Histogram*>(metric_)->Observe(value); }
void histogram::observe_many(const std::vector<double>& more, double sum) const {
  static_cast<prometheus::Histogram*>(metric_)->ObserveMultiple(more, sum);
}

const std::vector<double>& latency_buckets() {
  static const std::vector<double> bounds{0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                          0.05,    0.1,    0.25,    0.5,    1,     2.5,    5,     10};
  return bounds;
}

struct registry::state {
  // Merge: a second look-up of a family finds the first one.
  prometheus::Registry metrics{prometheus::Registry::InsertBehavior::Merge};
  std::mutex mutex;
  std::vector<std::function<void()>> callbacks;
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
                                       const std::vector<double>& buckets) {
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
  // Under the lock, so that two scrapes at once cannot interleave their callbacks' writes.
  const std::lock_guard guard(state_->mutex);
  for (const auto& callback : state_->callbacks) {
    try {
      callback();
    } catch (...) {
      scrape_failures().increment();
    }
  }
  return prometheus::TextSerializer().Serialize(state_->metrics.Collect());
}

} // namespace roost::metrics
