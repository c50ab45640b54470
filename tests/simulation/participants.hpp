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

/// A machine and its server, which is null while it is not running.
struct node {
  std::string name;
  std::unique_ptr<simulated_server> server;
  simulated_time next_action_at{}; ///< its next kill, stop, pause or start
  simulated_time paused_until{};
  simulated_time running_since{};    ///< without a pause
  simulated_time reads_fail_until{}; ///< until then, some of its store reads fail
  unsigned failing_reads = 0;        ///< per thousand
  unsigned starts = 0;
  bool is_extra = false; ///< runs only occasionally
  bool is_paused() const { return std::chrono::steady_clock::now() < paused_until; }
  /// Returns a name that is unique for each start.
  std::string server_name() const { return name + ", start " + std::to_string(starts); }
};

struct platform_client {
  platform_client(std::string client_name, const mixed_settings& settings, unsigned number)
      : name(std::move(client_name)), requests(settings, number) {}

  std::string name;
  mixed_client requests;
  simulated_time next_action_at{};   ///< its next request, or the timeout of the current one
  std::uint64_t pending_request = 0; ///< the number of the request in flight; 0 if none
  client_event sent;
  simulated_time sent_at{};
  const node* target = nullptr;
};

/// A client that repeatedly reads units and compares the responses with shown_facts.
struct unit_reader {
  simulated_time next_action_at{};
  unsigned unit = 0; ///< the next one; 0 for a random one
  bool is_waiting = false;
  node* retried_server = nullptr; ///< the server to retry after a 503
  unsigned refusals = 0;          ///< in a row
};

} // namespace roost::testing
