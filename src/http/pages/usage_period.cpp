#include "http/pages/usage_period.hpp"

#include "http/pages/pages_api.hpp"
#include "http/protocol/error.hpp"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>

namespace roost::http {

namespace {

constexpr domain::days default_length{30};
constexpr domain::days max_length{3 * 366};
constexpr domain::days max_length_by_days{92};

domain::date date_in(const form_fields& query, std::string_view name, domain::date otherwise) {
  const auto& text = field_of(query, name);
  if (text.empty()) return otherwise;
  const auto day = domain::parse_date(text);
  if (!day) throw bad_request("Please enter dates in the form 2026-11-20.");
  return *day;
}

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
  period.from = date_in(fields, "from", std::min(period.from, period.to - default_length + domain::days{1}));
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
  const std::chrono::year_month_day date{today};
  const domain::date month{date.year() / date.month() / 1};
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

namespace {

std::string quoted(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    text.insert(0, 1, '\'');
  return '"' + boost::replace_all_copy(text, "\"", "\"\"") + '"';
}

} // namespace

std::string usage_csv(const std::vector<domain::ai_usage_day>& days) {
  std::string text = "day,feature,model,calls,inputTokens,outputTokens,cacheCreationInputTokens,"
                     "cacheReadInputTokens,totalTokens,cost,currency\r\n";
  for (const auto& day : days) {
    const auto& tokens = day.used.tokens;
    text += domain::to_string(day.day) + ',' + std::string(domain::to_string(day.feature)) + ',' +
            quoted(day.model);
    for (const auto number : {day.used.calls, tokens.input, tokens.output, tokens.cache_creation,
                              tokens.cache_read, tokens.total()})
      text += ',' + std::to_string(number);
    text += ',' + domain::to_string(day.used.cost) + ',' + std::string(domain::ai_usage_currency) + "\r\n";
  }
  return text;
}

} // namespace roost::http
