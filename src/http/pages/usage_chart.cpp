#include "http/pages/usage_chart.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace roost::http {

namespace {

std::string step_name(domain::date day, bool by_months) {
  constexpr std::size_t up_to_the_month = 7; // of 2026-11-20
  auto name = domain::to_string(day);
  if (by_months) name.resize(up_to_the_month);
  return name;
}

} // namespace

usage_steps steps_of(const usage_period& period, const std::vector<domain::ai_usage_day>& days) {
  usage_steps found;
  auto next = days.begin();
  std::map<domain::ai_feature, bool> used;
  for (auto day = period.from; day <= period.to; day += domain::days{1}) {
    auto name = step_name(day, period.by_months());
    if (found.steps.empty() || found.steps.back().name != name)
      found.steps.push_back({std::move(name), {}, {}});
    auto& step = found.steps.back();
    for (; next != days.end() && next->day == day; ++next) {
      step.costs[next->feature] += next->used.cost;
      step.cost += next->used.cost;
      used[next->feature] = true;
    }
  }
  for (const auto& [feature, was] : used) found.features.push_back(feature);
  return found;
}

namespace {

constexpr double width = 800, height = 280;
constexpr double left = 64, right = 8, top = 12, bottom = 28;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
constexpr int max_lines = 4;

/// Without an exponent, and with so many decimals.
std::string fixed_number(double number, int decimals) {
  std::array<char, 64> text{};
  const auto [end, failure] =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, decimals);
  return {text.data(), failure == std::errc() ? end : text.data()};
}

double approximate(const domain::decimal& number) {
  return std::strtod(domain::to_string(number).c_str(), nullptr);
}

/// Divides an axis: the least of 1, 2 and 5 times a power of ten of which `max_lines` reach the top.
double line_distance(double most) {
  const auto least = most / max_lines;
  const auto power = std::pow(10, std::floor(std::log10(least)));
  for (const int factor : {1, 2, 5})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

class chart_writer {
public:
  explicit chart_writer(const usage_steps& of) : of_(of) {
    for (const auto& step : of.steps) most_ = std::max(most_, approximate(step.cost));
    if (most_ <= 0) most_ = 1;
    distance_ = line_distance(most_);
    most_ = distance_ * std::ceil(most_ / distance_);
    decimals_ = std::max(0, -static_cast<int>(std::floor(std::log10(distance_))));
    column_ = plot_width / static_cast<double>(std::max<std::size_t>(of.steps.size(), 1));
  }

  std::string text() {
    add("<svg class=\"chart\" viewBox=\"0 0 ", width, " ", height,
        "\" role=\"img\" aria-labelledby=\"chart-title\">\n");
    add_lines();
    for (std::size_t i = 0; i < of_.steps.size(); ++i) add_column(i);
    add_names();
    add("</svg>\n");
    return std::move(text_);
  }

private:
  void append(const char* part) { text_ += part; }
  void append(const std::string& part) { text_ += part; }
  void append(double number) { text_ += fixed_number(number, 1); } ///< a place in the picture
  template <typename... Parts>
  void add(const Parts&... parts) {
    (append(parts), ...);
  }

  double y_of(double cost) const { return top + plot_height * (1 - cost / most_); }

  void add_lines() {
    for (int i = 0; distance_ * i <= most_ * 1.001; ++i) {
      const auto y = y_of(distance_ * i);
      add("<line class=\"", i == 0 ? "axis" : "grid", "\" x1=\"", left, "\" x2=\"", width - right, "\" y1=\"",
          y, "\" y2=\"", y, "\"></line>\n<text x=\"", left - 6, "\" y=\"", y + 4, "\" text-anchor=\"end\">",
          fixed_number(distance_ * i, decimals_), "</text>\n");
    }
  }

  void add_column(std::size_t index) {
    const auto& step = of_.steps[index];
    const auto gap = std::min(column_ * 0.2, 6.0);
    double below = 0;
    for (const auto& [feature, cost] : step.costs) {
      const auto part = approximate(cost);
      add("<rect class=\"series-", std::to_string(series_of(feature)), "\" x=\"",
          left + column_ * static_cast<double>(index) + gap / 2, "\" y=\"", y_of(below + part), "\" width=\"",
          column_ - gap, "\" height=\"", plot_height * part / most_, "\"><title>", step.name, ", ",
          feature_title(feature), ": ", domain::to_string(cost), "</title></rect>\n");
      below += part;
    }
  }

  /// As many as there is room for, the last one among them.
  void add_names() {
    constexpr double room = 90;
    const auto every = static_cast<std::size_t>(std::ceil(room / column_));
    for (std::size_t i = 0; i < of_.steps.size(); ++i) {
      if ((of_.steps.size() - 1 - i) % every != 0) continue;
      const bool is_last = i + 1 == of_.steps.size() && column_ < room;
      const auto x = is_last ? width - right : left + column_ * (static_cast<double>(i) + 0.5);
      if (!is_last && x < left + room / 2 && column_ < room) continue;
      add("<text x=\"", x, "\" y=\"", height - 8, "\" text-anchor=\"", is_last ? "end" : "middle", "\">",
          of_.steps[i].name, "</text>\n");
    }
  }

  const usage_steps& of_;
  double most_ = 0, distance_ = 1, column_ = 1;
  int decimals_ = 0; ///< of the numbers beside the lines
  std::string text_;
};

} // namespace

std::string usage_chart(const usage_steps& of) { return chart_writer(of).text(); }

std::size_t series_of(domain::ai_feature feature) {
  constexpr std::size_t colours = 6;
  return static_cast<std::size_t>(feature) % colours + 1;
}

} // namespace roost::http
