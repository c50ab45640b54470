#pragma once

#include "simulation/clients/user_client.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace roost::testing {

/// A client that works in an office: it signs in, and sends requests with the token of its session.
class office_client : public user_client {
public:
  /// The account's units have consecutive numbers: `units` of them, from `first_unit` on.
  office_client(history& in, std::string name, std::shared_ptr<known_user> user, std::string listing_token,
                unsigned units, unsigned first_unit = 1);

protected:
  client_task<> run() final;
  void forget() override;

  /// Does something while there is a session.
  virtual client_task<> act_once() = 0;

  /// Does something at the end of the history, once faults have ended, while there is a session.
  virtual client_task<> verify() { co_return; }

  /// Sends a request with the session's token; signs out if it is not accepted any more.
  client_task<simulated_response> ask_office(std::string purpose, std::string method, std::string path,
                                             std::string body = {}, std::string if_match = {});

  /// Reads a unit's listing as a platform.
  client_task<simulated_response> ask_listing(std::string purpose, unsigned unit);

  unsigned random_unit() { return first_unit_ + static_cast<unsigned>(random_index(units_)); }

  /// Returns a random UUID with these first 8 digits.
  std::string random_id(const char* first_digits);

  /// Waits longer between its actions. All requests of a history cost the time of its servers.
  void act_every(duration at_most) { max_pause_ = at_most; }

  static constexpr unsigned max_attempts = 4; ///< of a write in doubt

  session_pointer session_;
  const unsigned units_, first_unit_;

private:
  const std::string listing_token_;
  duration max_pause_ = std::chrono::milliseconds{800};
};

/// Returns whether a request with this response may have been performed, or may be performed later.
inline bool is_doubtful(const simulated_response& response) {
  return response.status == 0 || response.status == 503;
}

inline bool is_signed_out(const simulated_response& response) {
  return response.status == 401 || response.status == 403 || response.status == 429;
}

} // namespace roost::testing
