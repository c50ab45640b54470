#include "top/samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

namespace roost::top {

namespace {

bool has_all(const labels& of, const labels& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& each) {
    const auto found = of.find(each.first);
    return found != of.end() && found->second == each.second;
  });
}

/// Reads `name="value",…}` from the front of `text`; nothing when it is not well-formed.
std::optional<labels> take_labels(std::string_view& text) {
  labels read;
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
    labels of;
    if (has_labels) {
      auto taken = take_labels(line);
      if (!taken) continue;
      of = std::move(*taken);
    }
    read.by_name_[name].push_back({std::move(of), number_of(line)});
  }
  return read;
}

const std::vector<sample>& samples::all(const std::string& name) const {
  static const std::vector<sample> none;
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? none : found->second;
}

double samples::sum(const std::string& name, const labels& with) const {
  double total = 0;
  for (const auto& each : all(name))
    if (has_all(each.of, with)) total += each.value;
  return total;
}

std::vector<std::string> samples::values(const std::string& name, const std::string& label) const {
  std::set<std::string> found;
  for (const auto& each : all(name))
    if (const auto value = each.of.find(label); value != each.of.end()) found.insert(value->second);
  return {found.begin(), found.end()};
}

double change::growth(const std::string& name, const labels& with) const {
  return std::max(now_.sum(name, with) - before_.sum(name, with), 0.0);
}

double change::rate(const std::string& name, const labels& with) const {
  return seconds_ > 0 ? growth(name, with) / seconds_ : 0;
}

std::optional<double> change::quantile(double share, const std::string& name, const labels& with) const {
  std::map<double, double> up_to; // new values by bound, those of lower buckets included
  const auto add = [&](const samples& from, double sign) {
    for (const auto& each : from.all(name + "_bucket")) {
      if (!has_all(each.of, with)) continue;
      const auto& bound = each.of.at("le");
      up_to[bound == "+Inf" ? std::numeric_limits<double>::infinity() : number_of(bound)] +=
          sign * each.value;
    }
  };
  add(now_, 1);
  add(before_, -1);
  if (up_to.empty() || up_to.rbegin()->second <= 0) return std::nullopt;
  const double wanted = share * up_to.rbegin()->second;
  double lower = 0, below = 0;
  for (const auto& [bound, count] : up_to) {
    if (count >= wanted && count > below)
      return std::isinf(bound) ? lower : lower + (bound - lower) * (wanted - below) / (count - below);
    lower = std::isinf(bound) ? lower : bound;
    below = count;
  }
  return lower;
}

} // namespace roost::top
