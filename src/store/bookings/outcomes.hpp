#pragma once

#include "domain/booking.hpp"
#include "store/database/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Outcomes of a platform's submissions, and the order in which they changed.
namespace roost::store {

enum class outcome_status {
  pending,   ///< not decided yet
  confirmed, ///< booked; also if the stay is in progress or over
  refused,
  cancelled, ///< booked, then cancelled; or withdrawn by the platform before the decision
};

inline constexpr std::array<std::string_view, 4> outcome_status_names{"pending", "confirmed", "refused",
                                                                      "cancelled"};
constexpr const auto& names_of(outcome_status) { return outcome_status_names; }

/// A booking's unit and its landlord.
struct booked_unit {
  domain::uuid account_id{}, unit_id{};

  friend bool operator==(const booked_unit&, const booked_unit&) = default;
};

/// The outcome of a platform's reference. If it was submitted several times, that of the submission that
/// became a booking, of several the one that was made first; if none has, that of the first submission.
struct submission_outcome {
  std::string reference, external_id;
  domain::date check_in{}, check_out{}; ///< of the booking as it is now
  outcome_status status = outcome_status::pending;
  domain::timestamp received_at{};
  std::optional<domain::timestamp> decided_at;
  domain::timestamp changed_at{};
  std::optional<domain::refusal> refusal;   ///< refused only
  std::vector<domain::nights> taken_nights; ///< of a refusal because of them, if known
  std::optional<domain::cancelled_by> cancelled_by;
  std::optional<domain::timestamp> cancelled_at;
  std::optional<booked_unit> booked;      ///< confirmed or cancelled after it
  std::optional<domain::uuid> booking_id; ///< set if `booked` is

  friend bool operator==(const submission_outcome&, const submission_outcome&) = default;
};

/// Returns nullopt if the platform has submitted nothing with this reference.
std::optional<submission_outcome> find_outcome(session& db, const std::string& platform,
                                               const std::string& reference);

/// A part of a platform's outcomes, in the order in which they last changed.
struct outcome_page {
  std::vector<submission_outcome> outcomes; ///< those that are not pending, each in its newest state
  std::int64_t cursor = 0;                  ///< the position after the page
  bool more = false;                        ///< whether there were later changes
};

/// Reads the outcomes that changed last after the position `after`; 0 is the beginning. A page may have fewer
/// than `limit` of them, or none, although there are more.
outcome_page outcomes_after(session& db, const std::string& platform, std::int64_t after, std::size_t limit);

/// Returns the random mark of the transaction that took this position: a restored backup may have other
/// outcomes at the same positions. nullopt if no outcome has it.
std::optional<std::string> mark_of_outcome(session& db, const std::string& platform, std::int64_t position);

/// Returns the position of the platform's newest change; 0 without any.
std::int64_t newest_outcome(session& db, const std::string& platform);

/// Returns the positions of the newest changes of all platforms that have any.
std::map<std::string, std::int64_t> newest_outcomes(session& db);

/// Returns the references whose outcomes changed after the position `after`, up to `last`.
std::set<std::string> references_changed(session& db, const std::string& platform, std::int64_t after,
                                         std::int64_t last);

/// The requests whose outcomes a transaction changes, by platform.
using changed_outcomes = std::map<std::string, std::vector<domain::uuid>>;

/// Takes the next positions in the order of the outcomes, for each platform those after the returned one.
/// Locks rows that all transactions that change outcomes of these platforms need. The order of locks is:
/// requests, bookings and units, these rows, the totals of requests, the change stream (append()).
std::map<std::string, std::int64_t> record_outcomes(session& db, const changed_outcomes& changed);

/// The same for the outcomes of bookings that are cancelled or get other dates. Ignores bookings without a
/// reference, whose outcomes no platform can read.
void record_booking_outcomes(session& db, std::span<const domain::booking> changed);

/// Takes the locks of record_outcomes() for all platforms, for a transaction that calls it after append().
void lock_outcomes(session& db);

} // namespace roost::store
