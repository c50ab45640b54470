#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/clients/simulated_client.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace roost::testing {

/// A guest who books through a platform, cancels, and has the personal data erased by an operator's command,
/// again and again with the same address. Nothing of an erased booking may keep the address, and a later
/// booking belongs to a new tenant.
class guest final : public simulated_client {
public:
  guest(history& in, std::string name, mixed_settings platforms);

  std::vector<std::string> differences(store::session& db) const override;

private:
  struct stay {
    client_event event;
    bool may_be_erased = false; ///< a command was run after it was cancelled
    bool is_erased = false;     ///< and its success is visible
  };

  client_task<> live() override;
  void forget() override;
  client_task<> book();
  client_task<> cancel();
  void erase();
  client_task<simulated_response> send(const client_event& event, bool insists);

  const mixed_settings platforms_;
  const mixed_client requests_;
  std::string address_;
  std::vector<stay> stays_;
  std::size_t booked_ = 0; ///< so far, also before the store returned to an earlier state
  bool is_booked_ = false; ///< the last stay, and not cancelled
};

} // namespace roost::testing
