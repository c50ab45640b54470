#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/simulated_server.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace roost::testing {

using simulated_time = simulated_server::time_point;

/// A machine, and the server that runs on it unless it was killed.
struct node {
  std::string name;
  std::unique_ptr<simulated_server> server;
  simulated_time acts_at{}; ///< its next kill, stop, pause or start
  simulated_time paused_until{};
  simulated_time runs_since{};       ///< without a pause
  simulated_time reads_fail_until{}; ///< until then, some of its reads of the store fail
  unsigned failing_reads = 0;        ///< in a thousand
  unsigned starts = 0;
  bool is_extra = false; ///< runs only for a while now and then
  bool is_paused() const { return std::chrono::steady_clock::now() < paused_until; }
  /// Another one after each start.
  std::string server_name() const { return name + ", start " + std::to_string(starts); }
};

struct platform_client {
  platform_client(std::string called, const mixed_settings& settings, unsigned number)
      : name(std::move(called)), requests(settings, number) {}

  std::string name;
  mixed_client requests;
  simulated_time acts_at{};  ///< its next request, or when it gives up on the response
  std::uint64_t awaited = 0; ///< the number of the request whose response it waits for; 0: none
  client_event sent;
  simulated_time sent_at{};
  const node* asked = nullptr;
};

/// Reads units again and again, and compares the responses with what is known by then.
struct unit_reader {
  simulated_time acts_at{};
  unsigned unit = 0; ///< the next one; 0: any
  bool awaits = false;
  node* refusing = nullptr; ///< the server that it asks again, because it did not serve
  unsigned refusals = 0;    ///< in a row
};

} // namespace roost::testing
