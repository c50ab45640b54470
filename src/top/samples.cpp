#include "top/samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

namespace roost::top {

namespace {

bool has_all(const label_set& labels, const label_set& required) {
  return std::ranges::all_of(required, [&](const auto& each) {
    const auto label = labels.find(each.first);
    return label != labels.end() && label->second == each.second;
  });
}

/// Parses `name="value",…}` and removes it from the front of `text`; nullopt if it is malformed.
std::optional<label_set> take_labels(std::string_view& text) {
  label_set read;
  while (!text.empty() && text.front() != '}') {
    const auto quote = text.find("=\"");
    if (quote == std::string_view::npos) return std::nullopt;
    const std::string name{text.substr(0, quote)};
    text.remove_prefix(quote + 2);
    std::string value;
    while (!text.empty() && text.front() != '"') {
      if (text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
      value += text.front();
      text.remove_prefix(1);
    }
    if (text.empty()) return std::nullopt;
    text.remove_prefix(1);
    if (!text.empty() && text.front() == ',') text.remove_prefix(1);
    read.emplace(name, std::move(value));
  }
  if (text.empty()) return std::nullopt;
  text.remove_prefix(1);
  return read;
}

double number_of(std::string_view text) { return std::strtod(std::string{text}.c_str(), nullptr); }

} // namespace

samples samples::parse(std::string_view text) {
  samples read;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const auto name_ends = line.find_first_of("{ ");
    if (name_ends == std::string_view::npos) continue;
    const std::string name{line.substr(0, name_ends)};
    const bool has_labels = line[name_ends] == '{';
    line.remove_prefix(name_ends + 1);
    label_set labels;
    if (has_labels) {
      auto taken = take_labels(line);
      if (!taken) continue;
      labels = std::move(*taken);
    }
    read.by_name_[name].push_back({std::move(labels), number_of(line)});
  }
  return read;
}

const std::vector<sample>& samples::all(const std::string& name) const {
  static const std::vector<sample> none;
  const auto entry = by_name_.find(name);
  return entry == by_name_.end() ? none : entry->second;
}

double samples::sum(const std::string& name, const label_set& labels) const {
  double total = 0;
  for (const auto& each : all(name))
    if (has_all(each.labels, labels)) total += each.value;
  return total;
}

std::vector<std::string> samples::values(const std::string& name, const std::string& label) const {
  std::set<std::string> distinct;
  for (const auto& each : all(name))
    if (const auto value = each.labels.find(label); value != each.labels.end())
      distinct.insert(value->second);
  return {distinct.begin(), distinct.end()};
}

double change::growth(const std::string& name, const label_set& labels) const {
  return std::max(now_.sum(name, labels) - before_.sum(name, labels), 0.0);
}

double change::rate(const std::string& name, const label_set& labels) const {
  return seconds_ > 0 ? growth(name, labels) / seconds_ : 0;
}

std::optional<double> change::quantile(double share, const std::string& name, const label_set& labels) const {
  std::map<double, double> up_to; // cumulative counts of new observations by bound
  const auto add = [&](const samples& scrape, double sign) {
    for (const auto& each : scrape.all(name + "_bucket")) {
      if (!has_all(each.labels, labels)) continue;
      const auto& bound = each.labels.at("le");
      up_to[bound == "+Inf" ? std::numeric_limits<double>::infinity() : number_of(bound)] +=
          sign * each.value;
    }
  };
  add(now_, 1);
  add(before_, -1);
  if (up_to.empty() || up_to.rbegin()->second <= 0) return std::nullopt;
  const double target = share * up_to.rbegin()->second;
  double lower = 0, below = 0;
  for (const auto& [bound, count] : up_to) {
    if (count >= target && count > below)
      return std::isinf(bound) ? lower : lower + (bound - lower) * (target - below) / (count - below);
    lower = std::isinf(bound) ? lower : bound;
    below = count;
  }
  return lower;
}

} // namespace roost::top
