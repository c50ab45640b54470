#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/clients/simulated_client.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace roost::testing {

/// A guest who repeatedly books through a platform with the same address, cancels, and has an operator's
/// command erase the personal data. Checks that no part of an erased booking keeps the address, and that
/// later bookings belong to a new tenant.
class guest final : public simulated_client {
public:
  guest(history& in, std::string name, mixed_settings platforms);

  std::vector<std::string> differences(store::session& db) const override;

private:
  struct stay {
    client_event event;
    bool may_be_erased = false; ///< a command was started after the cancellation
    bool is_erased = false;     ///< the command succeeded, and servers have applied it
  };

  client_task<> run() override;
  void forget() override;
  client_task<> book();
  client_task<> cancel();
  void erase();
  client_task<simulated_response> send(const client_event& event, bool until_served);

  const mixed_settings platforms_;
  const mixed_client requests_;
  std::string address_;
  std::vector<stay> stays_;
  std::size_t booked_ = 0; ///< the number of stays so far, including those lost in a restore
  bool is_booked_ = false; ///< the last stay is booked and not cancelled
};

} // namespace roost::testing
