#pragma once

#include "cli/output.hpp"
#include "config/settings.hpp"
#include "security/secrets.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

/// The parts of `roost doctor`.
namespace roost::cli {

/// How long before its expiry a certificate or a token is reported.
inline constexpr std::chrono::days expiry_warning{21};

/// Prints the findings of an examination, each with advice.
class findings {
public:
  explicit findings(list_format format) : list_(format, {"state", "subject", "finding", "advice"}) {}

  void ok(const std::string& subject, const std::string& finding);
  void warn(const std::string& subject, const std::string& finding, const std::string& advice);
  void fail(const std::string& subject, const std::string& finding, const std::string& advice);

  /// Runs one part of the examination. Reports an exception as a finding, so that the other parts still run.
  void examine(const std::string& subject, const std::function<void()>& part);

  /// Whether fail() has never been called.
  bool is_well() const { return is_well_; }

private:
  void add(const std::string& state, const std::string& subject, const std::string& finding,
           const std::string& advice);

  list_printer list_;
  bool is_well_ = true;
};

/// Checks addresses, the certificate, system limits, the mail transport and identity keys.
void examine_environment(findings& results, const config::settings& settings);

/// Checks secrets.file. Returns its content, or nullopt if it cannot be read.
std::optional<security::secrets> examine_secrets(findings& results, const config::settings& settings);

/// Checks the store and its content. `secrets` is the content of secrets.file.
void examine_store(findings& results, const config::settings& settings,
                   const std::optional<security::secrets>& secrets);

/// Checks the free space on the disk of a folder.
void examine_space(findings& results, const std::string& subject, const std::filesystem::path& folder);

} // namespace roost::cli
