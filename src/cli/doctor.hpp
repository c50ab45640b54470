#pragma once

#include "cli/output.hpp"
#include "config/settings.hpp"
#include "security/secrets.hpp"

#include <functional>
#include <optional>
#include <string>

/// The parts of `roost doctor`.
namespace roost::cli {

/// Prints the findings of an examination, each with advice.
class findings {
public:
  explicit findings(list_format format) : list_(format, {"state", "subject", "finding", "advice"}) {}

  /// Sets the subject of the following findings.
  void start(const std::string& subject) { subject_ = subject; }

  void ok(const std::string& finding) { add("ok", finding, ""); }
  void warn(const std::string& finding, const std::string& advice) { add("warning", finding, advice); }
  void fail(const std::string& finding, const std::string& advice);

  /// Examines one subject. Reports an exception as a finding, so that the other parts still run.
  void examine(const std::string& subject, const std::function<void()>& part);

  /// Whether fail() has never been called.
  bool is_well() const { return is_well_; }

private:
  void add(const std::string& state, const std::string& finding, const std::string& advice);

  list_printer list_;
  std::string subject_;
  bool is_well_ = true;
};

/// Checks the store and its content. `secrets` is the content of secrets.file.
void examine_store(findings& results, const config::settings& settings,
                   const std::optional<security::secrets>& secrets);

} // namespace roost::cli
