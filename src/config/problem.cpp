#include "config/problem.hpp"

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

} // namespace roost::config
