#pragma once

#include "bytes/prebuilt.hpp"

#include <functional>
#include <string>

namespace roost::testing {

/// A response as a client sees it; status 0 if none will come, because the server was killed.
struct simulated_response {
  unsigned status = 0;
  bytes::header_fields fields;
  std::string body;
};

/// Whether the client does not know what became of its request.
inline bool is_missing(const simulated_response& response) {
  return response.status == 0 || response.status == 503;
}

/// Receives a response; called once.
using response_receiver = std::function<void(simulated_response)>;

} // namespace roost::testing
