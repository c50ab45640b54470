#pragma once

#include "domain/booking.hpp"
#include "service/support/mixed_requests.hpp"
#include "simulation/shown_facts.hpp"
#include "simulation/simulated_response.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace roost::config {
struct settings;
}

namespace roost::testing {

/// A response that contradicts what was acknowledged before. It ends the history.
struct contradiction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The interface of a history for its clients.
class history {
public:
  using time_point = std::chrono::steady_clock::time_point;

  virtual ~history() = default;

  /// Returns the number of machines with servers.
  virtual std::size_t servers() const = 0;

  /// Sends a request, as on the wire, to a server. Calls `receive` once, possibly before returning: with the
  /// response, or with status 0 if none will come.
  virtual void send(std::size_t server, std::string text, response_receiver receive) = 0;

  /// Returns a random number that the seed determines.
  virtual std::uint64_t random() = 0;

  /// Adds a request for a booking, with its response, to the events that are compared at the end.
  virtual void add(client_event event) = 0;

  /// Returns what reads of units must show.
  virtual shown_facts& facts() = 0;

  /// Adds a line to the story, and to the fingerprint.
  virtual void add_to_story(const std::string& text) = 0;

  /// Returns whether faults have ended, so that clients must verify what they know and finish.
  virtual bool is_completing() const = 0;

  /// Returns whether servers and commands may be killed now.
  virtual bool may_kill() const = 0;

  /// Runs the history for this time. Only for clients that the history has called.
  virtual void run_for(std::chrono::nanoseconds time) = 0;

  /// Returns the settings of all servers.
  virtual const config::settings& settings() const = 0;

  /// Returns the mails received so far, in the order of arrival, each once.
  virtual const std::vector<domain::outgoing_mail>& mails() const = 0;

  /// Returns whether responses must be consistent. For a while after a jump of the calendar clock they need
  /// not be, because two servers may serve.
  virtual bool is_trusted() const = 0;

  /// Returns a generation counter. When it changes, clients must forget everything: a backup was restored, or
  /// responses are consistent again.
  virtual std::uint64_t generation() = 0;

  /// Returns the sum of all jumps of the calendar clock so far, in both directions: the maximum difference
  /// between the times that pass on the servers' and on the clients' clock.
  virtual std::chrono::nanoseconds clock_error() = 0;
};

} // namespace roost::testing
