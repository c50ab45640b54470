#pragma once

#include "bytes/shared_body.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::bytes {

using header_fields = std::vector<std::pair<std::string, std::string>>; ///< names and values

/// Appends `name: value` and CR LF; throws std::invalid_argument when that would not be one valid field (RFC
/// 9110, 5), so that no value can smuggle in another field or an answer of its own.
void append_field(std::string& head, std::string_view name, std::string_view value);

/// Whether an answer of this status has a body and a Content-Length (not 1xx, 204 and 304).
bool may_have_body(unsigned status);

/// An immutable answer made once and sent many times without a copy: its own header fields in wire form, and
/// its body. Date, X-Request-Id and Connection are added when it is sent.
class prebuilt {
public:
  /// Content-Length is added; throws std::invalid_argument when a field is not valid in a header.
  prebuilt(unsigned status, std::string_view content_type, shared_body body,
           const header_fields& fields = {});

  unsigned status() const { return status_; }
  /// Header fields in wire form, each ended by CR LF, with the empty line.
  std::string_view head() const { return head_; }
  const shared_body& body() const { return body_; }

private:
  unsigned status_;
  std::string head_;
  shared_body body_;
};

} // namespace roost::bytes
