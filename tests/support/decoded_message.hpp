#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roost::mail {

/// A message read back by the RFCs it is written by: headers unfolded, the subject and the parts decoded.
struct decoded_message {
  std::map<std::string, std::string> headers;
  std::string subject;
  std::map<std::string, std::string> parts; ///< by content type; line ends are `\n`
};

decoded_message decode(std::string_view message);

/// Without their CRLF.
std::vector<std::string> lines_of(std::string_view message);

} // namespace roost::mail
