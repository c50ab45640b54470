#include "config/problem.hpp"

#include <algorithm>
#include <utility>

namespace roost::config {

namespace {

std::string joined(const std::vector<problem>& problems) {
  std::string text;
  for (const auto& problem : problems) text.append(text.empty() ? "" : "\n").append(to_string(problem));
  return text;
}

} // namespace

std::string to_string(const problem& problem) {
  std::string text = problem.where;
  if (!problem.key.empty()) text += ": " + problem.key;
  return text + ": " + problem.text;
}

invalid::invalid(std::vector<problem> problems)
    : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

void findings::add(std::string where, std::string key, std::string text) {
  problems_.push_back({std::move(where), std::move(key), std::move(text)});
}

bool findings::concern(std::string_view key) const {
  return std::ranges::any_of(problems_, [&](const problem& problem) { return problem.key == key; });
}

void findings::throw_if_any() const {
  if (!problems_.empty()) throw invalid(problems_);
}

} // namespace roost::config
