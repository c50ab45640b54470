#pragma once

#include "bytes/shared_body.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::http {

/// An immutable answer made once and sent many times without a copy: its own header fields in wire form, and
/// its body. Date, X-Request-Id and Connection are added when it is sent.
class prebuilt {
public:
  using header_fields = std::vector<std::pair<std::string, std::string>>;

  /// Content-Length is added; throws std::invalid_argument when a field is not valid in a header.
  prebuilt(unsigned status, std::string_view content_type, actors::shared_body body,
           const header_fields& fields = {});

  unsigned status() const { return status_; }
  /// Header fields in wire form, each ended by CR LF, with the empty line.
  std::string_view head() const { return head_; }
  const actors::shared_body& body() const { return body_; }

private:
  unsigned status_;
  std::string head_;
  actors::shared_body body_;
};

/// An answer. Either `body` with `content_type`, or `shared`, which then stands for everything but `fields`.
struct response {
  unsigned status = 200;
  std::string content_type = "application/json; charset=utf-8"; ///< not sent when empty
  prebuilt::header_fields fields;                               ///< extra header fields
  std::string body;
  std::shared_ptr<const prebuilt> shared;
};

/// The value of a JSON document that is ready.
response json(unsigned status, std::string body);
/// An answer without a body or a content type, e.g. 204.
response empty(unsigned status);

} // namespace roost::http
