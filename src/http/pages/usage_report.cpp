#include "http/pages/usage_report.hpp"

#include "domain/entered_text.hpp"
#include "domain/text.hpp"
#include "http/pages/pages_api.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace roost::http {

namespace {

constexpr domain::days default_length{30};
constexpr domain::days max_length{3 * 366};
constexpr domain::date first_day = domain::date_of(std::chrono::year{1} / 1 / 1); // that can be entered
constexpr domain::days max_length_by_days{92};

domain::date date_in(const form_fields& query, std::string_view name, domain::date otherwise) {
  const auto& text = field_of(query, name);
  if (text.empty()) return otherwise;
  const auto day = domain::parse_date(text);
  if (!day) throw bad_request("Please enter dates in the form 2026-11-20.");
  return *day;
}

std::string step_name(domain::date day, bool by_months) {
  auto name = domain::to_string(day);
  if (by_months) name.resize(std::string_view("2026-11").size());
  return name;
}

constexpr double width = 800, height = 280;
constexpr double left = 64, right = 8, top = 12, bottom = 28;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
constexpr int max_lines = 4; // above the axis

/// Formats a number without an exponent.
std::string fixed_number(double number, int decimals) {
  std::array<char, 64> text{};
  const auto [end, failure] =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, decimals);
  return {text.data(), failure == std::errc() ? end : text.data()};
}

double approximate(const domain::decimal& number) {
  return std::strtod(domain::to_string(number).c_str(), nullptr);
}

/// Returns the distance of an axis's lines: the smallest of 1, 2 and 5 times a power of ten with which
/// `max_lines` lines reach the top.
double line_distance(double top_value) {
  const auto min_distance = top_value / max_lines;
  const auto power = std::pow(10, std::floor(std::log10(min_distance)));
  for (const int factor : {1, 2, 5})
    if (factor * power >= min_distance) return factor * power;
  return 10 * power;
}

class chart_writer {
public:
  explicit chart_writer(const usage_steps& all) : steps_(all.steps) {
    for (const auto& step : steps_) max_ = std::max(max_, approximate(step.cost));
    if (max_ <= 0) max_ = 1;
    distance_ = line_distance(max_);
    max_ = distance_ * std::ceil(max_ / distance_);
    decimals_ = std::max(0, -static_cast<int>(std::floor(std::log10(distance_))));
    column_ = plot_width / static_cast<double>(std::max<std::size_t>(steps_.size(), 1));
  }

  std::string text() {
    add("<svg class=\"chart\" viewBox=\"0 0 ", width, " ", height,
        "\" role=\"img\" aria-labelledby=\"chart-title\">\n");
    add_lines();
    for (std::size_t i = 0; i < steps_.size(); ++i) add_column(i);
    add_names();
    add("</svg>\n");
    return std::move(text_);
  }

private:
  void append(const char* part) { text_ += part; }
  void append(const std::string& part) { text_ += part; }
  void append(double coordinate) { text_ += fixed_number(coordinate, 1); }
  template <typename... Parts>
  void add(const Parts&... parts) {
    (append(parts), ...);
  }

  double y_of(double cost) const { return top + plot_height * (1 - cost / max_); }

  void add_lines() {
    for (int i = 0; distance_ * i <= max_ * 1.001; ++i) {
      const auto y = y_of(distance_ * i);
      add("<line class=\"", i == 0 ? "axis" : "grid", "\" x1=\"", left, "\" x2=\"", width - right, "\" y1=\"",
          y, "\" y2=\"", y, "\"></line>\n<text x=\"", left - 6, "\" y=\"", y + 4, "\" text-anchor=\"end\">",
          fixed_number(distance_ * i, decimals_), "</text>\n");
    }
  }

  void add_column(std::size_t index) {
    const auto& step = steps_[index];
    const auto gap = std::min(column_ * 0.2, 6.0);
    double below = 0;
    for (const auto& [feature, cost] : step.costs) {
      const auto part = approximate(cost);
      add("<rect class=\"series-", std::to_string(series_of(feature)), "\" x=\"",
          left + column_ * static_cast<double>(index) + gap / 2, "\" y=\"", y_of(below + part), "\" width=\"",
          column_ - gap, "\" height=\"", plot_height * part / max_, "\"><title>", step.name, ", ",
          feature_title(feature), ": ", domain::to_string(cost), "</title></rect>\n");
      below += part;
    }
  }

  /// Writes as many names as there is space for, including the last one.
  void add_names() {
    constexpr double name_width = 90;
    const auto interval = static_cast<std::size_t>(std::ceil(name_width / column_));
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if ((steps_.size() - 1 - i) % interval != 0) continue;
      const bool is_last = i + 1 == steps_.size() && column_ < name_width;
      const auto x = is_last ? width - right : left + column_ * (static_cast<double>(i) + 0.5);
      if (!is_last && x < left + name_width / 2 && column_ < name_width) continue;
      add("<text x=\"", x, "\" y=\"", height - 8, "\" text-anchor=\"", is_last ? "end" : "middle", "\">",
          steps_[i].name, "</text>\n");
    }
  }

  const std::vector<usage_step>& steps_;
  double max_ = 0, distance_ = 1, column_ = 1;
  int decimals_ = 0; ///< of the numbers next to the lines
  std::string text_;
};

} // namespace

domain::ai_usage_filter usage_period::filter() const {
  const domain::timestamp end = to + domain::days{1};
  return {domain::timestamp{from}, end - std::chrono::milliseconds{1}, feature};
}

std::string usage_period::query() const {
  auto text = "from=" + domain::to_string(from) + "&to=" + domain::to_string(to);
  if (feature) text.append("&feature=").append(domain::to_string(*feature));
  return text;
}

bool usage_period::by_months() const { return to - from >= max_length_by_days; }

usage_period default_usage_period(domain::date today) {
  return {today - default_length + domain::days{1}, today, std::nullopt};
}

usage_period read_usage_period(std::string_view query, domain::date today) {
  const auto fields = read_form(query);
  auto period = default_usage_period(today);
  period.to = date_in(fields, "to", period.to);
  const auto default_from = std::min(period.from, period.to - default_length + domain::days{1});
  period.from = date_in(fields, "from", std::max(default_from, first_day));
  if (period.from > period.to) throw bad_request("The first day must not be after the last day.");
  if (period.to - period.from >= max_length)
    throw bad_request("Please choose a period of at most three years.");
  if (const auto& name = field_of(fields, "feature"); !name.empty()) {
    period.feature = domain::parse_name<domain::ai_feature>(name);
    if (!period.feature) throw bad_request("There is no such feature.");
  }
  return period;
}

std::vector<usage_shortcut> usage_shortcuts(domain::date today) {
  const auto month = domain::first_of_month(today);
  return {{"Last 7 days", {today - domain::days{6}, today, {}}},
          {"Last 30 days", default_usage_period(today)},
          {"This month", {month, today, {}}},
          {"Last month", {domain::add_months(month, -1), month - domain::days{1}, {}}},
          {"Last 12 months", {domain::add_months(month, -11), today, {}}}};
}

std::string feature_title(domain::ai_feature feature) {
  std::string title(domain::to_string(feature));
  std::ranges::replace(title, '_', ' ');
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  if (title.starts_with("Faq")) title.replace(0, 3, "FAQ");
  return title;
}

std::string usage_csv(const std::vector<domain::ai_usage_day>& days) {
  std::string text{domain::byte_order_mark};
  text += "day,feature,model,calls,inputTokens,outputTokens,cacheCreationInputTokens,"
          "cacheReadInputTokens,totalTokens,cost,currency\r\n";
  for (const auto& day : days) {
    const auto& tokens = day.used.tokens;
    text += domain::to_string(day.day) + ',' + std::string(domain::to_string(day.feature)) + ',' +
            domain::csv_cell(domain::escape_formula(day.model));
    for (const auto number : {day.used.calls, tokens.input, tokens.output, tokens.cache_creation,
                              tokens.cache_read, tokens.total()})
      text += ',' + std::to_string(number);
    text += ',' + domain::to_string(day.used.cost) + ',' + std::string(domain::ai_usage_currency) + "\r\n";
  }
  return text;
}

usage_steps steps_of(const usage_period& period, const std::vector<domain::ai_usage_day>& days) {
  usage_steps result;
  auto next = days.begin();
  std::set<domain::ai_feature> used;
  for (auto day = period.from; day <= period.to; day += domain::days{1}) {
    auto name = step_name(day, period.by_months());
    if (result.steps.empty() || result.steps.back().name != name)
      result.steps.push_back({std::move(name), {}, {}});
    auto& step = result.steps.back();
    for (; next != days.end() && next->day == day; ++next) {
      step.costs[next->feature] += next->used.cost;
      step.cost += next->used.cost;
      used.insert(next->feature);
    }
  }
  result.features.assign(used.begin(), used.end());
  return result;
}

std::string usage_chart(const usage_steps& steps) { return chart_writer(steps).text(); }

std::size_t series_of(domain::ai_feature feature) {
  constexpr std::size_t colors = 6;
  return static_cast<std::size_t>(feature) % colors + 1;
}

} // namespace roost::http
