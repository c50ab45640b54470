#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
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
struct wanted_stay {
  unsigned unit = 1; ///< of portfolio_of()
  domain::date check_in{}, check_out{};
  std::string reference; ///< a UUID of its own

  std::string json() const;
};

/// How one submission ended for the client that made it.
struct submission {
  wanted_stay stay;
  std::optional<raw_response> got; ///< nothing: the connection ended first, or `timed_out`
  bool timed_out = false;
  std::chrono::milliseconds took{0};

  bool acknowledged() const { return got && got->status == 201; }
  /// The queued request's id, from the receipt.
  std::string request_id() const;
};

struct load_settings {
  std::string token;      ///< of marketplace-a
  std::uint32_t seed = 1; ///< of the stays and of what is repeated
  unsigned clients = 6;
  unsigned units = 3;
  int horizon_days = 1'500;                          ///< stays begin within so many days
  std::chrono::milliseconds pause{3};                ///< of each client after an answer
  std::chrono::milliseconds answer_patience{15'000}; ///< longer than this is a hang
};

/// Clients with a connection each that go on submitting stays on few units, so that many want the same
/// nights. Now and then, and mostly after a submission without an answer, one is repeated with its reference.
class booking_load {
public:
  explicit booking_load(load_settings settings);
  ~booking_load();
  booking_load(const booking_load&) = delete;
  booking_load& operator=(const booking_load&) = delete;

  /// From now on the clients turn to this port; nobody is there after 0. A client that is refused there waits
  /// for the next port.
  void aim_at(std::uint16_t port);

  /// How many submissions were answered so far with this status.
  std::size_t answered_with(unsigned status) const;
  /// Waits until `count` more submissions are answered with the status; false when that takes too long.
  bool wait_for_more(unsigned status, std::size_t count, std::chrono::milliseconds patience) const;

  /// Ends the clients, after the answers that they wait for, and gives everything that was submitted. Throws
  /// what went wrong in a client.
  std::vector<submission> finish();

private:
  class client;
  /// The port to turn to; waits while there is none newer than the generation. 0: it is over.
  std::uint16_t next_port(std::uint64_t& generation, bool wait_for_newer);
  /// Lets some time pass; false when it is over.
  bool pause();
  void record(submission made);

  load_settings settings_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::uint16_t port_ = 0;
  std::uint64_t generation_ = 0;
  bool over_ = false;
  std::vector<submission> made_;
  std::vector<std::string> failures_;
  std::vector<std::thread> clients_;
};

} // namespace roost::testing
