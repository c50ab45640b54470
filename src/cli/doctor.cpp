#include "cli/doctor.hpp"

#include "cli/commands.hpp"

#include <exception>
#include <string_view>

namespace roost::cli {

namespace {

/// Ends the text with a full stop, so that the advice can follow.
std::string as_sentence(const std::string& finding) {
  const bool has_end =
      !finding.empty() && std::string_view(".?!").find(finding.back()) != std::string_view::npos;
  return has_end ? finding : finding + ".";
}

} // namespace

void findings::ok(const std::string& subject, const std::string& finding) { add("ok", subject, finding, ""); }

void findings::warn(const std::string& subject, const std::string& finding, const std::string& advice) {
  add("warning", subject, finding, advice);
}

void findings::fail(const std::string& subject, const std::string& finding, const std::string& advice) {
  add("wrong", subject, finding, advice);
  is_well_ = false;
}

void findings::examine(const std::string& subject, const std::function<void()>& part) {
  try {
    part();
  } catch (const std::exception& error) {
    fail(subject, std::string("the check failed: ") + error.what(),
         "Fix this, then run `roost doctor` again");
  }
}

void findings::add(const std::string& state, const std::string& subject, const std::string& finding,
                   const std::string& advice) {
  list_.add({padded_cell(state, 7), padded_cell(subject, 13),
             cell_as(finding, advice.empty() ? finding : as_sentence(finding)), cell(advice)});
}

int run_doctor(const arguments& args) {
  findings results(args.format);
  try {
    const auto configuration = load_configuration(args);
    results.ok("configuration", "it is valid; `roost config` prints it");
    for (const auto& [key, reason] : configuration.idle)
      results.warn("configuration", std::string(key).append(" has no effect: ").append(reason), "Remove it");
    examine_environment(results, configuration.values);
    const auto secrets = examine_secrets(results, configuration.values);
    examine_store(results, configuration.values, secrets);
  } catch (const config::invalid& invalid) {
    for (const auto& problem : invalid.problems())
      results.fail("configuration", config::to_string(problem),
                   "Correct it at the place that the finding names");
  }
  return results.is_well() ? 0 : 1;
}

} // namespace roost::cli
