#pragma once

#include "config/problem.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace roost::config {

/// Collects what is wrong, so that all of it can be told at once.
class findings {
public:
  void add(std::string where, std::string key, std::string text) {
    problems_.push_back({std::move(where), std::move(key), std::move(text)});
  }

  /// Whether something is wrong with this very key; checks across keys then leave it alone.
  bool concern(std::string_view key) const {
    return std::ranges::any_of(problems_, [&](const problem& problem) { return problem.key == key; });
  }

  /// Throws `invalid` when there is any problem.
  void throw_if_any() const {
    if (!problems_.empty()) throw invalid(problems_);
  }

private:
  std::vector<problem> problems_;
};

} // namespace roost::config
