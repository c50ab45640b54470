#pragma once

#include "domain/booking.hpp"
#include "service/support/mixed_requests.hpp"
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

/// What the clients of a history see of it.
class history {
public:
  using time_point = std::chrono::steady_clock::time_point;

  virtual ~history() = default;

  /// The number of machines with servers.
  virtual std::size_t servers() const = 0;

  /// Sends a request, as on the wire, to a server. `receive` is called once: with the response, or with
  /// status 0 if none will come. That may be before the function returns.
  virtual void send(std::size_t server, std::string text, response_receiver receive) = 0;

  /// Returns a random number that the seed determines.
  virtual std::uint64_t random() = 0;

  /// Adds a request about a booking, with its response, to those that are compared at the end.
  virtual void add(client_event event) = 0;

  /// Adds to the story and to the fingerprint.
  virtual void tell(const std::string& text) = 0;

  /// Whether nothing fails any more, and clients are to check what they know, and end.
  virtual bool is_completing() const = 0;

  /// Whether servers and commands may be killed now.
  virtual bool may_kill() const = 0;

  /// Lets the history go on for this time. Only for clients that are called by it.
  virtual void pass(std::chrono::nanoseconds time) = 0;

  /// The settings of all servers.
  virtual const config::settings& settings() const = 0;

  /// Returns the mails received so far, in the order of arrival, each once.
  virtual const std::vector<domain::outgoing_mail>& mails() const = 0;

  /// Whether responses must be consistent. They need not be for a while after a jump of the calendar clock:
  /// two servers may serve.
  virtual bool is_trusted() const = 0;

  /// Changes when clients must forget everything: a backup was restored, or responses are consistent again.
  virtual std::uint64_t era() = 0;

  /// Returns by how much the calendar clock has jumped so far, in both directions together: between two
  /// moments, the servers' clock advances by that much more or less than the clients' clock at most.
  virtual std::chrono::nanoseconds clock_error() = 0;
};

} // namespace roost::testing
