#include "cli/doctor_findings.hpp"

#include <algorithm>
#include <exception>
#include <string_view>

namespace roost::cli {

namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

/// As a sentence before the advice.
std::string ended(const std::string& finding) {
  const bool has_end =
      !finding.empty() && std::string_view(".?!").find(finding.back()) != std::string_view::npos;
  return has_end ? finding : finding + ".";
}

} // namespace

void findings::fine(const std::string& subject, const std::string& finding) {
  add("ok", subject, finding, "");
}

void findings::warn(const std::string& subject, const std::string& finding, const std::string& advice) {
  add("warning", subject, finding, advice);
}

void findings::wrong(const std::string& subject, const std::string& finding, const std::string& advice) {
  add("wrong", subject, finding, advice);
  is_well_ = false;
}

void findings::examine(const std::string& subject, const std::function<void()>& part) {
  try {
    part();
  } catch (const std::exception& failed) {
    wrong(subject, std::string("it could not be looked at: ") + failed.what(),
          "Mend that, then run `roost doctor` again");
  }
}

void findings::add(const std::string& state, const std::string& subject, const std::string& finding,
                   const std::string& advice) {
  list_.add({shown_as(state, padded(state, 7)), shown_as(subject, padded(subject, 13)),
             shown_as(finding, advice.empty() ? finding : ended(finding)), shown(advice)});
}

} // namespace roost::cli
