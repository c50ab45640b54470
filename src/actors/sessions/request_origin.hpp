#pragma once

#include <string>

namespace roost::actors {

/// The request that caused a security event, for the log.
struct request_origin {
  std::string address;    ///< the client's
  std::string request_id; ///< as in X-Request-Id and in the event `request`
};

} // namespace roost::actors
