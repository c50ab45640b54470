#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace roost::http {

/// What is wrong with a request, in the order that clients know: one 400 says all of it.
class message_list {
public:
  /// Of very many messages only the first are kept.
  void refuse(std::string message);

  bool empty() const { return messages_.empty(); }

  /// Throws bad_request with all messages, if there are any.
  void throw_if_any() const;

private:
  std::vector<std::string> messages_;
  std::size_t further_ = 0; ///< messages that were not kept
};

} // namespace roost::http
