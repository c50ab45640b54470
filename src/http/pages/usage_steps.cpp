#include "http/pages/usage_steps.hpp"

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

} // namespace roost::http
