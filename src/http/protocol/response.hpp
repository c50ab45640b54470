#pragma once

#include "bytes/prebuilt.hpp"

#include <memory>
#include <string>

namespace roost::http {

/// An answer. Either `body` with `content_type`, or `shared`, which then stands for everything but `fields`.
struct response {
  unsigned status = 200;
  std::string content_type = "application/json; charset=utf-8"; ///< not sent when empty
  bytes::header_fields fields;                                  ///< extra header fields
  std::string body;
  std::shared_ptr<const bytes::prebuilt> shared;
};

/// The value of a JSON document that is ready.
response json(unsigned status, std::string body);
/// An answer without a body or a content type, e.g. 204.
response empty(unsigned status);

} // namespace roost::http
