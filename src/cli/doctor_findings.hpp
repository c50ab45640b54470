#pragma once

#include "cli/listing.hpp"

#include <functional>
#include <string>

namespace roost::cli {

/// What an examination finds, and what to do about it.
class findings {
public:
  explicit findings(list_format format) : list_(format, {"state", "subject", "finding", "advice"}) {}

  void fine(const std::string& subject, const std::string& finding);
  void warn(const std::string& subject, const std::string& finding, const std::string& advice);
  void wrong(const std::string& subject, const std::string& finding, const std::string& advice);

  /// Runs one part of the examination; one that fails is a finding, and the others go on.
  void examine(const std::string& subject, const std::function<void()>& part);

  /// Whether nothing is wrong.
  bool is_well() const { return is_well_; }

private:
  void add(const std::string& state, const std::string& subject, const std::string& finding,
           const std::string& advice);

  printed_list list_;
  bool is_well_ = true;
};

} // namespace roost::cli
