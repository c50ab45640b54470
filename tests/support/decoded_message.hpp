#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roost::mail {

/// A decoded mail message: headers unfolded, subject and parts decoded.
struct decoded_message {
  std::map<std::string, std::string> headers;
  std::string subject;
  std::map<std::string, std::string> parts; ///< by content type; with `\n` line endings
};

decoded_message decode(std::string_view message);

/// Returns the lines without their CRLF.
std::vector<std::string> lines_of(std::string_view message);

} // namespace roost::mail
