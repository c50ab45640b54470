#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/clients/changed_stay.hpp"
#include "simulation/clients/simulated_client.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace roost::testing {

/// A platform that books stays and requests changes of them, also before the booking is decided, several per
/// booking, and repeatedly. It cancels some bookings. Checks that an acknowledged change is kept and decided
/// once, that bookings and changes are decided in the order of their acknowledgements, and that a booking has
/// the dates of its last applied change. No office may move or cancel bookings of this platform.
class stay_changer final : public simulated_client {
public:
  stay_changer(history& in, std::string name, mixed_settings platforms);

  std::vector<std::string> differences(store::session& db) const override;

private:
  client_task<> run() override;
  void forget() override;
  client_task<> act_once();
  client_task<> finish(changed_stay& stay);

  // Requests
  client_task<> book();
  client_task<> put(changed_stay& stay, bool until_served);
  client_task<> change_any();
  client_task<> put_change(changed_stay& stay, requested_change& change, bool until_served);
  client_task<> put_another_body(changed_stay& stay, const requested_change& change);
  client_task<> cancel(changed_stay& stay);
  /// Requests nights for a stay by a change, and then the same nights for another stay.
  client_task<> compete();

  // Reads. They return the status that was shown; empty if there was no response.
  client_task<std::string> read(changed_stay& stay, bool until_served);
  client_task<std::string> read_change(changed_stay& stay, requested_change& change, bool until_served);
  client_task<> read_and_check(changed_stay& stay);
  client_task<> read_and_check(changed_stay& stay, requested_change& change);
  /// Checks that what arrived before a decided change is decided, too.
  client_task<> check_earlier(changed_stay& stay, const requested_change& decided);
  /// Checks that a change that arrived before a decided booking is decided, too.
  client_task<> check_earlier(const changed_stay& decided);
  client_task<> fail_unless_over(changed_stay& stay, std::string text);
  void learn(changed_stay& stay, const std::string& outcome);
  void learn(const changed_stay& stay, requested_change& change, const std::string& outcome);
  void check_refusal(const changed_stay& stay, const requested_change& change) const;

  client_task<simulated_response> send(std::string purpose, http_call call, bool until_served);
  changed_stay& add_stay(unsigned unit, const stay_dates& dates);
  requested_change& add_change(changed_stay& stay, const stay_dates& dates, bool has_payment = true);
  stay_dates some_dates();
  stay_dates dates_near(const stay_dates& dates);
  changed_stay* any_stay();
  changed_stay* changeable_stay();
  http_call call_of(std::string method, const std::string& target) const;
  std::string random_id();

  void compare_stay(store::session& db, const changed_stay& stay, std::vector<std::string>& errors) const;

  const mixed_settings platforms_;
  const mixed_client requests_;
  std::deque<changed_stay> stays_; ///< references to them stay valid
  std::uint64_t last_time_ = 0;    ///< of request_times
};

} // namespace roost::testing
