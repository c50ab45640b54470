#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace roost::config {

/// One error in the configuration.
struct problem {
  std::string where; ///< `config/my.toml:12`, `environment` or `--set`
  std::string key;   ///< `server.header_timeout`; empty if the error is not about one key
  std::string text;

  bool operator==(const problem&) const = default;
};

/// Returns the problem as one line: `where: key: text`.
std::string to_string(const problem& problem);

/// Thrown for an invalid configuration. what() has one line for each problem.
class invalid : public std::runtime_error {
public:
  explicit invalid(std::vector<problem> problems);
  const std::vector<problem>& problems() const { return problems_; }

private:
  std::vector<problem> problems_;
};

/// Collects all problems, so that they can be reported together.
class findings {
public:
  void add(std::string where, std::string key, std::string text);

  /// Whether there is a problem with exactly this key; checks across keys then skip it.
  bool concern(std::string_view key) const;

  /// Throws `invalid` if there is any problem.
  void throw_if_any() const;

private:
  std::vector<problem> problems_;
};

} // namespace roost::config
