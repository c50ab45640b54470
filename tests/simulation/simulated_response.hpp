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

/// Receives a response; called once.
using response_receiver = std::function<void(simulated_response)>;

} // namespace roost::testing
