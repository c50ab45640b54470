#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::top {

using labels = std::map<std::string, std::string>;

/// One line of Prometheus' text form.
struct sample {
  labels of;
  double value = 0;
};

/// A scrape of /metrics.
class samples {
public:
  /// Lines that are none are left out.
  static samples parse(std::string_view text);

  bool has(const std::string& name) const { return by_name_.contains(name); }
  /// All samples of this name.
  const std::vector<sample>& all(const std::string& name) const;
  /// The sum of those that have all these labels.
  double sum(const std::string& name, const labels& with = {}) const;
  /// The values that this label has.
  std::vector<std::string> values(const std::string& name, const std::string& label) const;

private:
  std::map<std::string, std::vector<sample>> by_name_;
};

/// What happened between two scrapes of one server.
class change {
public:
  change(const samples& before, const samples& now, double seconds)
      : before_(before), now_(now), seconds_(seconds) {}

  const samples& now() const { return now_; }
  /// Of a counter, in a second; 0 where the server has started anew meanwhile.
  double rate(const std::string& name, const labels& with = {}) const;
  double growth(const std::string& name, const labels& with = {}) const;
  /// The value that this share of a histogram's new values does not exceed, by linear interpolation in its
  /// bucket; nothing when there is no new value. Above the last bound it is that bound.
  std::optional<double> quantile(double share, const std::string& name, const labels& with = {}) const;

private:
  const samples& before_;
  const samples& now_;
  double seconds_;
};

} // namespace roost::top
