#pragma once

#include <string>
#include <vector>

/// Searches with regular expressions (ECMAScript). Compiled once, because the compiler needs seconds for
/// `<regex>`.
namespace roost::testing {

/// Returns all matches of the pattern, each with the whole match first, then its groups; a group without a
/// match is empty.
std::vector<std::vector<std::string>> all_matches(const std::string& text, const std::string& pattern);

/// Replaces all matches of the pattern.
std::string with_replaced(const std::string& text, const std::string& pattern,
                          const std::string& replacement);

} // namespace roost::testing
