#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace roost::config {

/// One thing that is wrong with the configuration.
struct problem {
  std::string where; ///< `config/my.toml:12`, `environment` or `--set`
  std::string key;   ///< `server.header_timeout`; empty when it is not about one key
  std::string text;

  bool operator==(const problem&) const = default;
};

/// `where: key: text`, one line.
std::string to_string(const problem& problem);

/// The configuration cannot be used. what() has one line for each problem.
class invalid : public std::runtime_error {
public:
  explicit invalid(std::vector<problem> problems);
  const std::vector<problem>& problems() const { return problems_; }

private:
  std::vector<problem> problems_;
};

} // namespace roost::config
