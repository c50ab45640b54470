#pragma once

#include "top/samples.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roost::top {

/// Quantiles in seconds; nullopt when there were no events.
struct quantiles {
  std::optional<double> p50, p99;
};

struct platform_row {
  std::string name;
  double reads = 0, writes = 0, refused = 0; ///< per second; refused: answered with 4xx or 5xx
  quantiles latency;
};

struct thread_row {
  std::string name;
  double cpu = 0;  ///< share of a core
  double busy = 0; ///< share of the time spent in actors' runs
  double runs = 0, steals = 0;
  double queue = 0;
  double stalls = 0; ///< in this interval
};

struct actor_row {
  std::string type;
  double alive = 0, runs = 0, messages = 0, max_depth = 0;
  quantiles run, wait;
};

struct lane_row {
  std::string name;
  double busy = 0, jobs = 0, waiting = 0;
  quantiles wait;
};

/// A unit or an account with much traffic.
struct hot_row {
  std::string id, name;
  double reads = 0, reserved = 0, refused = 0; ///< per second
};

/// The latency of reads, of submissions up to their acknowledgement, or of decisions, in its three stages.
struct stage_row {
  std::string name;
  double rate = 0;
  quantiles waiting, deciding, committing;
};

/// The figures of a server over the interval between two scrapes.
struct view {
  std::string server;
  bool ready = false;
  std::vector<std::string> not_ready; ///< the failed readiness checks with their reasons
  double seconds = 0;                 ///< between the two scrapes
  double units = 0, requests = 0, in_flight = 0, connections = 0, busy_responses = 0, failures = 0;
  bool is_writer = false;
  double queue_waiting = 0, queue_age = 0, decided = 0, refused = 0, mails_waiting = 0;
  double asks = 0, asks_in_flight = 0, asks_timed_out = 0,
         asks_refused = 0; ///< the last two in this interval
  std::vector<platform_row> platforms;
  std::vector<stage_row> stages;
  std::vector<thread_row> threads;
  std::vector<actor_row> actors;
  std::vector<lane_row> lanes;
  double busiest_seconds = 0;
  std::vector<hot_row> hot_units, hot_accounts;
  std::vector<std::string> advice; ///< see advice_on()
};

/// One reading of a server: the response bodies of its routes.
struct reading {
  samples metrics;
  std::string readiness, busiest; ///< JSON
};

/// Computes the view of a server from two readings taken `seconds` apart.
view view_of(const std::string& server, const reading& before, const reading& now, double seconds);

/// Returns the settings worth tuning, one line each: the configuration key, then the reason.
std::vector<std::string> advice_on(const view& figures, const change& delta);

std::string to_json(const view& figures);

} // namespace roost::top
