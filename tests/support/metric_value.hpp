#pragma once

#include <cstdlib>
#include <string>

namespace roost::testing {

/// Returns the value of a sample, given by its name and labels as in the scrape; 0 if there is none.
inline double metric_value(const std::string& scrape, const std::string& sample) {
  const auto line = ("\n" + scrape).find("\n" + sample + " ");
  return line == std::string::npos ? 0 : std::strtod(scrape.c_str() + line + sample.size(), nullptr);
}

} // namespace roost::testing
