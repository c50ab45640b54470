#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/clients/changed_stay.hpp"

#include <chrono>
#include <string>

namespace roost::testing {

struct holding_booking;

/// What a platform knows about a hold that it has placed.
struct known_hold {
  using time_point = std::chrono::steady_clock::time_point;

  std::string id, body;
  unsigned unit = 1;
  stay_dates dates;
  std::chrono::minutes length{1};
  bool may_share_dates = false;      ///< others may have a booking or a hold with the same dates
  bool is_rejected = false;          ///< it is not stored: nights were taken
  bool may_be_released = false;      ///< a release was sent
  bool is_released = false;          ///< the release was acknowledged
  std::string receipt;               ///< empty: not known yet
  std::string expires_at;            ///< from the receipt
  time_point first_sent{};           ///< when it was first requested
  std::chrono::nanoseconds error{};  ///< history::clock_error() at that time
  holding_booking* claim = nullptr;  ///< the booking that was sent with its id
  const known_hold* rival = nullptr; ///< an earlier hold of the same nights

  bool is_acknowledged() const { return !receipt.empty(); }
};

/// What a platform knows about a booking that it has requested with a hold, or on nights of a hold.
struct holding_booking {
  client_event event; ///< the submission
  known_hold* hold = nullptr;
  bool is_rival = false;         ///< sent without the hold's id
  bool has_payment = true;       ///< false: the payment is 0, so it must be refused
  bool has_claimed = false;      ///< it has certainly claimed the hold
  bool may_be_cancelled = false; ///< a cancellation was sent
  std::string receipt;           ///< empty: not known yet
  std::string decision, reason;  ///< its status once it is decided, and why it is refused

  bool is_decided() const { return !decision.empty(); }
  bool is_confirmed() const { return decision == "confirmed"; }
};

} // namespace roost::testing
