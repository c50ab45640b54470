#pragma once

#include "domain/text.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::config {

/// One error in the configuration.
struct problem {
  std::string where; ///< `config/my.toml:12`, `environment` or `--set`
  std::string key;   ///< `server.header_timeout`; empty if the error is not about one key
  std::string text;

  bool operator==(const problem&) const = default;
};

/// Returns the problem as one line: `where: key: text`. Keys and names of files may contain line ends.
inline std::string to_string(const problem& problem) {
  return domain::one_line(problem.where + (problem.key.empty() ? "" : ": " + problem.key) + ": " +
                          problem.text);
}

/// Thrown for an invalid configuration. what() has one line for each problem.
class invalid : public std::runtime_error {
public:
  explicit invalid(std::vector<problem> problems)
      : std::runtime_error(lines_of(problems)), problems_(std::move(problems)) {}
  const std::vector<problem>& problems() const { return problems_; }

private:
  static std::string lines_of(const std::vector<problem>& problems) {
    std::string text;
    for (const auto& problem : problems) text.append(text.empty() ? "" : "\n").append(to_string(problem));
    return text;
  }

  std::vector<problem> problems_;
};

/// Thrown by a format for an invalid value. The text follows the key in the line of a problem; it quotes the
/// value only through shown().
struct refusal {
  std::string text;
};

/// Collects all problems, so that they can be reported together.
class findings {
public:
  void add(std::string where, std::string key, std::string text) {
    problems_.push_back({std::move(where), std::move(key), std::move(text)});
  }

  /// Calls `read`, and adds a problem if it throws refusal.
  template <class Read>
  void check(const std::string& where, const std::string& key, Read read) {
    try {
      read();
    } catch (const refusal& refusal) {
      add(where, key, refusal.text);
    }
  }

  /// Whether there is a problem with exactly this key; checks across keys then skip it.
  bool concern(std::string_view key) const {
    return std::ranges::find(problems_, key, &problem::key) != problems_.end();
  }

  /// Throws `invalid` if there is any problem.
  void throw_if_any() const {
    if (!problems_.empty()) throw invalid(problems_);
  }

private:
  std::vector<problem> problems_;
};

} // namespace roost::config
