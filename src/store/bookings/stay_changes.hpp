#pragma once

#include "domain/booking.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Changes of stays that platforms request. They are decided in the order of arrival, among the booking
/// requests.
namespace roost::store {

/// A change of a booking's stay; unset members stay as booked.
struct stay_change {
  std::string platform, reference; ///< of the booking, as it is stored
  std::string id;                  ///< the platform's ID of the change, unique for a booking
  domain::date check_in{}, check_out{};
  std::optional<int> occupants;
  std::optional<domain::money> provider_payment;
  std::string requested_by; ///< the caller's credential, for the audit log
  domain::timestamp received_at{};
};

/// Returns whether two changes with the same ID request the same.
bool request_the_same(const stay_change& a, const stay_change& b);

enum class stay_change_state { pending, applied, refused };

inline constexpr std::array<std::string_view, 3> stay_change_state_names{"pending", "applied", "refused"};
constexpr const auto& names_of(stay_change_state) { return stay_change_state_names; }

struct stay_change_record {
  stay_change change;
  stay_change_state state{};
  std::optional<domain::refusal> refusal;   ///< refused only
  std::vector<domain::nights> taken_nights; ///< of a refusal because of them
  std::optional<domain::timestamp> decided_at;
};

/// The response to a change that a platform may repeat.
struct stay_change_receipt {
  enum class kind {
    created,
    repeated,  ///< an equal one was stored before
    different, ///< the platform has requested something else with this ID; nothing was stored
    // Nothing was stored, because the booking cannot change any more:
    not_submitted,
    booking_refused,
    booking_cancelled,
    stay_over,
  };

  kind result = kind::created;
  domain::timestamp received_at{}; ///< of the first request, if it is stored
};

/// Stores a change unless the platform has stored one with its ID before. `today` decides whether the stay is
/// over. Throws lease_lost, or unavailable, for example if the same change is being stored.
stay_change_receipt put_stay_change(session& db, const lease& held, const stay_change& change,
                                    domain::date today);

std::optional<stay_change_record> find_stay_change(session& db, const std::string& platform,
                                                   const std::string& reference, const std::string& id);

/// A change that is not decided yet.
struct pending_stay_change {
  std::int64_t seq = 0;       ///< order of arrival among the changes
  std::int64_t after_seq = 0; ///< pending_request::seq of the newest request that arrived before it
  stay_change change;
  std::optional<submission_outcome> booking;
};

using stay_change_filter = std::function<bool(const pending_stay_change&)>;

/// Returns the first pending change of these platforms for which both conditions are true: `may_be_due` is
/// called without the booking, which is not read if it returns false.
std::optional<pending_stay_change> first_pending_change(session& db, std::span<const std::string> platforms,
                                                        const stay_change_filter& may_be_due,
                                                        const stay_change_filter& is_due);

/// The decision about a pending change.
struct stay_change_decision {
  stay_change_state state = stay_change_state::applied;
  std::optional<domain::refusal> refusal;
  std::vector<domain::nights> taken_nights;
};

/// Locks a pending change for the caller's transaction. nullopt if it is decided. Throws unavailable if
/// another transaction decides it.
std::optional<pending_stay_change> lock_pending_change(session& db, std::int64_t seq);

/// Stores the decision in the caller's transaction, which has locked the change.
void decide_pending_change(session& db, std::int64_t seq, const stay_change_decision& decision);

} // namespace roost::store
