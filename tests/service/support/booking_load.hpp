#pragma once

#include "domain/date.hpp"
#include "store/database/session.hpp"
#include "support/raw_client.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace roost::testing {

/// A stay that a platform submits, perhaps more than once.
struct requested_stay {
  unsigned unit = 1; ///< of portfolio_of()
  domain::date check_in{}, check_out{};
  std::string reference; ///< a unique UUID

  std::string json() const;
};

/// One submission and its outcome as its client saw it.
struct submission {
  requested_stay stay;
  std::optional<raw_response> response; ///< nullopt: the connection was closed first, or `timed_out`
  bool timed_out = false;
  std::chrono::milliseconds duration{0};

  bool acknowledged() const { return response && response->status == 201; }
  /// Returns the id of the queued request, from the receipt.
  std::string request_id() const;
};

struct load_settings {
  std::string token;      ///< of marketplace-a
  std::uint32_t seed = 1; ///< of the random stays and repetitions
  unsigned clients = 6;
  unsigned units = 3;
  int horizon_days = 1'500;           ///< stays start within this many days
  std::chrono::milliseconds pause{3}; ///< of each client after a response
  std::chrono::milliseconds response_timeout{15'000};
};

/// Clients with one connection each that keep submitting stays on few units, so that many compete for the
/// same nights. A client sometimes repeats a submission with its reference, usually after one without a
/// response.
class booking_load {
public:
  explicit booking_load(load_settings settings);
  ~booking_load();
  booking_load(const booking_load&) = delete;
  booking_load& operator=(const booking_load&) = delete;

  /// Makes the clients connect to this port from now on; 0 makes them wait. A client whose connection is
  /// refused waits for the next port.
  void set_port(std::uint16_t port);

  /// Returns how many submissions got this status so far.
  std::size_t response_count(unsigned status) const;
  /// Waits until `count` more submissions get the status; returns false on timeout.
  bool wait_for_more(unsigned status, std::size_t count, std::chrono::milliseconds timeout) const;

  /// Stops the clients after their pending responses, and returns all submissions. Rethrows a client's
  /// failure.
  std::vector<submission> finish();

private:
  class client;
  /// Returns the port to connect to; waits for one newer than `generation` if asked to. 0: the load is
  /// stopped.
  std::uint16_t next_port(std::uint64_t& generation, bool wait_for_newer);
  /// Returns false when the load is stopped.
  bool pause();
  void record(submission finished);

  load_settings settings_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::uint16_t port_ = 0;
  std::uint64_t generation_ = 0;
  bool stopped_ = false;
  std::vector<submission> submissions_;
  std::vector<std::string> failures_;
  std::vector<std::thread> clients_;
};

/// Returns a random UUID (version 4) for a platform's booking ID.
std::string random_reference(std::mt19937& random);

/// Returns the number of requests in the store without a decision.
std::int64_t undecided_requests(store::session& db);

/// Compares submissions and their responses with the store, once all requests are decided: each acknowledged
/// request exists and has exactly one outcome with its consequences, the stays of a unit do not overlap, no
/// reference is booked twice, and no refusal lacks a reason. Returns descriptions of the first twenty
/// differences.
std::vector<std::string> differences(store::session& db, const std::vector<submission>& submitted);

} // namespace roost::testing
