#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/clients/known_hold.hpp"
#include "simulation/clients/simulated_client.hpp"

#include <deque>
#include <set>
#include <string>
#include <vector>

namespace roost::testing {

/// A platform that holds nights, and books some of them, releases some, and lets some expire. Checks that the
/// nights of a hold are taken until it ends, that no other booking or hold gets them meanwhile, that a
/// booking that has claimed a hold is confirmed, and that the nights are free when the hold has ended. No
/// office may move or cancel bookings of this platform.
class holder final : public simulated_client {
public:
  holder(history& in, std::string name, mixed_settings platforms);

  std::vector<std::string> differences(store::session& db) const override;

private:
  client_task<> run() override;
  void forget() override;
  client_task<> act_once();

  // Requests
  client_task<> hold_some();
  /// Holds the same nights with another id.
  client_task<> hold_again(known_hold& known);
  client_task<> place(known_hold& known, bool until_served);
  client_task<> place_another_body(const known_hold& known);
  client_task<> release(known_hold& known, bool until_served);
  client_task<> claim(known_hold& known);
  /// Books nights of a hold without its id.
  client_task<> compete(known_hold& known);
  client_task<> put(holding_booking& booking, bool until_served);
  client_task<> cancel(holding_booking& booking, bool until_served);
  client_task<> read(holding_booking& booking, bool until_served);
  /// Reads the unit, and checks that the nights are taken or free, if that is certain.
  client_task<> check_nights(known_hold& known, bool until_served);

  // The end
  client_task<> finish();
  client_task<> await_expiry(known_hold& known);
  client_task<> release_forgotten();

  // Responses
  void check_receipt(known_hold& known, const simulated_response& response);
  void check_refusal(const simulated_response& response) const;
  void check_rows(const known_hold& known, std::size_t rows) const;
  void learn(holding_booking& booking, const std::string& outcome);
  void check_rival(const holding_booking& booking) const;

  /// Returns whether the hold may have expired by now, given all jumps of the calendar clock.
  bool may_be_expired(const known_hold& known) const;
  /// Returns whether the hold or the booking that has claimed it certainly takes the nights.
  bool takes_nights(const known_hold& known) const;

  client_task<simulated_response> send(std::string purpose, http_call call, bool until_served);
  known_hold& add_hold(unsigned unit, const stay_dates& dates, bool may_share_dates);
  holding_booking& add_booking(known_hold& of, const std::string& platform, const stay_dates& dates);
  known_hold* any_hold();
  known_hold* any_active_hold();
  http_call call_of(std::string method, const std::string& platform, const std::string& target) const;
  std::string random_id();

  void compare_hold(store::session& db, const known_hold& known, std::vector<std::string>& errors) const;

  const mixed_settings platforms_;
  const mixed_client requests_;
  std::deque<known_hold> holds_; ///< references to them stay valid
  std::deque<holding_booking> bookings_;
  std::set<std::string> used_places_;
  std::set<std::string> sent_; ///< the ids of all holds, also of those that it has forgotten
  time_point completing_since_{};
};

} // namespace roost::testing
