#pragma once

#include <optional>
#include <string>
#include <vector>

namespace roost::top {

/// Times in seconds; nothing where nothing happened.
struct spread {
  std::optional<double> p50, p99;
};

struct platform_row {
  std::string name;
  double reads = 0, writes = 0, refused = 0; ///< a second; refused: answered with 4xx or 5xx
  spread latency;
};

struct thread_row {
  std::string name;
  double processor = 0; ///< share of a core
  double busy = 0;      ///< share of the time in actors' runs
  double runs = 0, steals = 0;
  double queue = 0;
  double stalls = 0; ///< in this interval
};

struct actor_row {
  std::string type;
  double alive = 0, runs = 0, messages = 0, deepest = 0;
  spread run, wait;
};

struct lane_row {
  std::string name;
  double busy = 0, jobs = 0, waiting = 0;
  spread wait;
};

struct busy_row {
  std::string id, name;
  double reads = 0, reserved = 0, refused = 0; ///< a second
};

/// The three parts of what takes time: of reads, of submissions up to their acknowledgement, of decisions.
struct stage_row {
  std::string of;
  double rate = 0;
  spread waiting, deciding, committing;
};

struct view {
  std::string server;
  bool ready = false;
  std::vector<std::string> not_ready; ///< why
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
  std::vector<busy_row> hot_units, busy_accounts;
  std::vector<std::string> advice; ///< what to tune
};

} // namespace roost::top
