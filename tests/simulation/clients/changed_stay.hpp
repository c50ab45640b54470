#pragma once

#include "service/support/mixed_requests.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace roost::testing {

/// The dates of a stay.
struct stay_dates {
  domain::date check_in{}, check_out{};
  friend bool operator==(const stay_dates&, const stay_dates&) = default;
};

std::string to_string(const stay_dates& dates);

/// When a client first sent a request, and when it knew that the request is stored, in the order of all its
/// requests and responses. 0: not yet.
struct request_times {
  std::uint64_t sent = 0, acknowledged = 0;

  /// Returns whether this request certainly arrived before the other one.
  bool precede(const request_times& other) const {
    return acknowledged != 0 && (other.sent == 0 || acknowledged < other.sent);
  }
};

/// What a platform knows about a change that it has requested.
struct requested_change {
  std::string id, body;
  stay_dates dates;
  bool has_payment = true; ///< false: the payment is 0
  request_times times;
  std::string receipt;            ///< empty: not known yet
  bool is_rejected = false;       ///< it is not stored, because the booking cannot change any more
  bool is_after_the_stay = false; ///< it was pending when the booking was known to be refused or cancelled
  std::string decision;           ///< its status once it is decided
  std::string reason;             ///< why it is refused

  bool is_certain() const { return is_rejected || !receipt.empty(); } ///< no attempt has an unknown outcome
  bool is_decided() const { return !decision.empty(); }
  bool is_applied() const { return decision == "applied"; }
  bool is_valid() const { return has_payment && dates.check_out > dates.check_in; }
};

/// What a platform knows about a stay that it books and changes.
struct changed_stay {
  client_event event; ///< the submission
  request_times times;
  std::string receipt; ///< empty: not known yet
  std::string decision;
  bool may_be_cancelled = false;        ///< a cancellation was sent
  bool is_left_alone = false;           ///< it is neither changed nor cancelled any more
  std::optional<stay_dates> last_dates; ///< once it is refused or cancelled
  std::deque<requested_change> changes;
  /// The change of another stay that arrived before this stay and took its nights.
  const requested_change* rival = nullptr;

  stay_dates booked() const { return {event.check_in, event.check_out}; }
  bool is_decided() const { return !decision.empty(); }
  bool is_over() const { return decision == "refused" || decision == "cancelled"; }

  /// Returns whether the stay may have these dates, by what is known about its changes: those of the last
  /// applied change. A change that is not decided may have been applied.
  bool may_have(const stay_dates& dates) const;
};

} // namespace roost::testing
