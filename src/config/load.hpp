#pragma once

#include "config/settings.hpp"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
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

/// Where settings come from, besides the defaults that are built in; what comes later wins.
struct options {
  std::optional<std::filesystem::path> file; ///< --config: it must exist
  /// Without --config: the first of these that exists, if any.
  std::vector<std::filesystem::path> search = {"config/roost.toml", "/etc/roost/roost.toml"};
  std::vector<std::pair<std::string, std::string>>
      environment;              ///< names and values; see process_environment()
  std::vector<std::string> set; ///< --set: `section.key=value`
};

/// Every variable of this process's environment whose name starts with `ROOST_`.
std::vector<std::pair<std::string, std::string>> process_environment();

/// A setting as it is in force.
struct effective_value {
  std::string key;
  std::string value;  ///< as TOML; passwords are masked
  std::string origin; ///< `default`, `config/my.toml:12`, `environment` or `--set`
  std::string help;
};

/// The settings below one header.
struct effective_section {
  std::string header; ///< `[server]`, `[[platforms]]`
  std::vector<effective_value> values;
};

/// The settings, and what `roost config` tells about them.
struct loaded {
  settings values;
  std::vector<effective_section> sections;
};

/// Reads every layer: the built-in defaults, the file, ROOST_<SECTION>_<KEY> of the environment, --set.
/// Throws `invalid` with all that is wrong in all of them.
loaded load(const options& options);

/// The effective configuration as a TOML document with a comment `# from …` at each value; no secrets.
std::string describe(const loaded& loaded);

} // namespace roost::config
