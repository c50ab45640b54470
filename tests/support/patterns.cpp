#include "support/patterns.hpp"

#include <regex>

namespace roost::testing {

std::vector<std::vector<std::string>> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::vector<std::string>> matches;
  for (std::sregex_iterator each(text.begin(), text.end(), expression), end; each != end; ++each)
    matches.emplace_back(each->begin(), each->end());
  return matches;
}

std::string with_replaced(const std::string& text, const std::string& pattern,
                          const std::string& replacement) {
  return std::regex_replace(text, std::regex(pattern), replacement);
}

} // namespace roost::testing
