#pragma once

#include "domain/booking.hpp"
#include "domain/listing_edit.hpp"
#include "domain/stay_decision.hpp"
#include "store/bookings/bookings.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/office/office.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Bookings, as the office reads and writes them.
namespace roost::store {

/// A range of dates, both inclusive; without bounds unless they are set.
struct date_range {
  std::optional<domain::date> from, to;
};

struct office_booking_filter {
  std::optional<domain::booking_status> status;
  std::string platform; ///< empty: any, or none
  std::optional<domain::uuid> unit_id, property_id, tenant_id;
  date_range check_in, check_out;
  /// Part of the reference, the unit's name or, if `finds_guests`, the guest's name, in any letter case and
  /// without accents; empty: any.
  std::string text;
  bool finds_guests = false;
};

/// The place of a booking in the order of a list: newest first, bookings of the same time by id, the greatest
/// first.
struct booking_place {
  domain::timestamp created_at{};
  domain::uuid id{};
};

/// Returns the bookings after a place, at most `limit`.
office_page<booking_record> list_office_bookings(session& db, const office_scope& scope,
                                                 const office_booking_filter& filter,
                                                 const std::optional<booking_place>& after, std::size_t limit,
                                                 with_total counted = with_total::yes);

std::optional<booking_record> find_booking(session& db, const office_scope& scope, const domain::uuid& id);

// Writes

/// Returns whether the client has seen this state of a booking; empty if the client did not say what it has
/// seen. Called in the transaction.
using booking_condition = std::function<bool(const booking_record&)>;

/// Builds the landlord's notification about a write; `before` is null for a creation.
using booking_notice =
    std::function<domain::notification(const booking_record* before, const booking_record& after,
                                       std::span<const domain::stay_warning> warnings)>;

/// Returns the members that a write changes, for the audit log; `before` is null for a creation.
using booking_description = std::function<std::vector<domain::field_change>(const booking_record* before,
                                                                            const booking_record& after)>;

struct booking_creation {
  domain::uuid unit_id{}, id{};
  std::optional<domain::platform> platform;
  domain::requested_stay stay;
  domain::tenant_details tenant;
  domain::uuid new_tenant_id{}; ///< of the tenant, if none matches
  /// Identifies the request if the client chose the id; empty if it did not.
  std::string request_hash;
  booking_description describe;
  booking_notice notice{};
};

struct booking_cancellation {
  domain::uuid id{};
  booking_condition is_current;
  std::string reason; ///< for the audit log; may be empty
  booking_description describe;
  booking_notice notice{}; ///< empty: the landlord is not notified
};

/// Nights of a unit.
struct unit_nights {
  domain::uuid unit_id{};
  domain::nights nights;

  friend bool operator==(const unit_nights&, const unit_nights&) = default;
};

/// Other dates, another unit or other occupants; unset members stay.
struct booking_change {
  domain::uuid id{};
  booking_condition is_current;
  std::optional<domain::uuid> unit_id;
  std::optional<domain::date> check_in, check_out;
  std::optional<int> occupants;
  std::optional<domain::money> provider_payment; ///< as the platform states it
  bool is_by_platform = false;                   ///< then the booking shows it
  /// The nights that the change takes in the state that the caller has read; nullopt: those that the booking
  /// has. In any other state, the change is outdated.
  std::optional<unit_nights> expected;
  domain::uuid entry_id{}; ///< of the changelog entry of the unit that the booking leaves
  booking_description describe;
  booking_notice notice{};
};

struct booking_outcome {
  office_result result = office_result::not_found;
  booking_record booking;                 ///< as it is stored now
  std::optional<domain::refusal> refused; ///< if `result` is booked: why the stay cannot be booked
  std::vector<domain::nights> taken;      ///< the nights of the stay that are taken
  last_change last;                       ///< if the client's state is outdated
  std::string problem;                    ///< if the values are refused, or contradict the booking
  stream_point point;                     ///< the position at which reads show the outcome, if it is stored
};

// Each of these writes the booking, the notification, the audit entry, the unit's changelog and the entry of
// the change stream in one transaction, or nothing. They throw lease_lost, or unavailable: also while an
// import writes the unit.

/// Decides the stay by the same rules as a platform's request, from the stored state. A tenant whom the
/// details name is kept, otherwise a new one is stored.
booking_outcome create_booking(session& db, const lease& held, const office_scope& scope,
                               const booking_creation& request, const office_author& author);

/// Decides the changed stay like a new one, in which the booking's own nights are free. Computes the plan
/// again, from the terms that the unit has now and as if it had been made when the booking was made. Payments
/// that were received and the platform's payment stay as they are.
booking_outcome change_booking(session& db, const lease& held, const office_scope& scope,
                               const booking_change& request, const office_author& author);

/// The same in the caller's transaction, which has begun as an office_transaction. Takes the outcome's number
/// and the change's position last. Throws locked_elsewhere, too.
booking_outcome change_in_transaction(session& db, const office_scope& scope, const booking_change& request,
                                      const office_author& author);

/// Frees the nights. Payments that were received stay recorded.
booking_outcome cancel_booking(session& db, const lease& held, const office_scope& scope,
                               const booking_cancellation& request, const office_author& author);

/// A cancellation for a landlord, by a user of the office or by an operator.
struct authored_cancellation {
  booking_cancellation request;
  office_author author;
};

/// Cancels bookings in the caller's transaction, which has locked their rows: what the office and
/// `roost booking cancel` have in common. Returns the outcomes in the order of the cancellations: one whose
/// booking is already cancelled, or whose stay is over, is refused. Conditions are not checked.
std::vector<booking_outcome> cancel_locked(session& db, std::span<const authored_cancellation> cancellations);

/// Cancels bookings of any accounts from the command line, in one transaction, each at most once. Conditions
/// are not checked. Waits for other transactions that change the bookings. Throws while the store is being
/// copied.
std::vector<booking_outcome> cancel_for_landlords(session& db,
                                                  std::span<const authored_cancellation> cancellations);

/// Returns why a booking cannot be changed or cancelled any more; empty if it can. The stored status follows
/// the date with a delay.
std::string obstacle_of(const booking_record& booking, domain::date today);

/// The author of a change that only the date makes: a stay begins or ends.
inline constexpr const char* changed_by_date = "date";
/// The author of a change that a landlord made and the audit log does not name.
inline constexpr const char* changed_by_landlord = "landlord";

/// Returns the last change of a booking. A platform's booking that has not changed is by the platform.
last_change last_change_of_booking(session& db, const office_scope& scope, const booking_record& booking);

} // namespace roost::store
