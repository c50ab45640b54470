#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/clients/simulated_client.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace roost::testing {

/// A platform that submits bookings with PUT, repeats them, waits for their outcomes, cancels some, and keeps
/// a copy of all its outcomes by following their list. Checks that a repeat returns the same receipt, that
/// another body is refused, that a decision stays one and a cancellation, too, and that the copy is equal to
/// the store.
class outcome_follower final : public simulated_client {
public:
  outcome_follower(history& in, std::string name, mixed_settings platforms);

  std::vector<std::string> differences(store::session& db) const override;

private:
  struct submission {
    client_event event;
    std::string receipt;     ///< empty: not known yet
    bool is_decided = false; ///< a response has said so
    bool is_cancelled = false;
  };

  client_task<> run() override;
  void forget() override;
  client_task<> act_once();
  client_task<> put(std::size_t number, bool until_served);
  client_task<> put_another_body(std::size_t number);
  client_task<> read(std::size_t number, bool until_served);
  client_task<> cancel(std::size_t number);
  client_task<bool> follow(bool until_served);
  client_task<simulated_response> send(std::string purpose, http_call call, bool until_served);
  void add_submission();
  http_call put_of(const client_event& event) const;
  http_call get_of(const std::string& target) const;
  void check_outcome(std::size_t number, const std::string& outcome);
  void apply(const std::string& list);

  const mixed_settings platforms_;
  const mixed_client requests_;
  std::vector<submission> submissions_;
  std::string cursor_ = "0";
  std::map<std::string, std::string> copy_; ///< what outcomes show, by reference
};

} // namespace roost::testing
