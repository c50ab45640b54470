#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::top {

using label_set = std::map<std::string, std::string>;

/// One sample in the Prometheus text format.
struct sample {
  label_set labels;
  double value = 0;
};

/// The samples of one scrape of /metrics.
class samples {
public:
  /// Skips lines that are not samples.
  static samples parse(std::string_view text);

  /// Returns all samples with this name.
  const std::vector<sample>& all(const std::string& name) const;
  /// Returns the sum of the samples that have all these labels.
  double sum(const std::string& name, const label_set& labels = {}) const;
  /// Returns the distinct values of this label, sorted.
  std::vector<std::string> values(const std::string& name, const std::string& label) const;

private:
  std::map<std::string, std::vector<sample>> by_name_;
};

/// The difference between two scrapes of one server; both must outlive it.
class change {
public:
  change(const samples& before, const samples& now, double seconds)
      : before_(before), now_(now), seconds_(seconds) {}

  const samples& now() const { return now_; }
  /// Returns a counter's growth per second; 0 if the server has restarted in between.
  double rate(const std::string& name, const label_set& labels = {}) const;
  double growth(const std::string& name, const label_set& labels = {}) const;
  /// Returns this quantile (0 to 1) of a histogram's new observations, interpolated linearly within its
  /// bucket; nullopt when there are none. Above the last finite bound it is that bound.
  std::optional<double> quantile(double share, const std::string& name, const label_set& labels = {}) const;

private:
  const samples& before_;
  const samples& now_;
  double seconds_;
};

} // namespace roost::top
