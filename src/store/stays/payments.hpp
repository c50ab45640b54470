#pragma once

#include "domain/booking_terms.hpp"
#include "store/database/lease.hpp"
#include "store/office/history.hpp"
#include "store/office/office_write.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// The payments that tenants and platforms owe a landlord: the lines of bookings' payment plans, and what was
/// received of them. Users with an owner see those of that owner's properties.
namespace roost::store {

struct payment_receipt {
  domain::date date{};
  domain::money amount;
  std::string note;
  std::string by; ///< a user's email address
  domain::timestamp at{};

  friend bool operator==(const payment_receipt&, const payment_receipt&) = default;
};

struct office_payment {
  domain::uuid id{}; ///< domain::payment_id()
  domain::uuid booking_id{}, unit_id{};
  std::string unit_name;
  std::optional<std::string> platform;
  std::string first_name;               ///< of the lead tenant
  std::optional<std::string> last_name; ///< of the lead tenant
  domain::payment_kind kind{};
  domain::payment_party payer = domain::payment_party::tenant;
  std::optional<domain::nights> period;
  domain::date due{};
  domain::money amount;
  /// Whether the plan of an active booking has it. Otherwise it is here because something was received.
  bool is_planned = false;
  std::optional<payment_receipt> received;
};

enum class payment_state { due, late, received };

inline constexpr std::array<std::string_view, 3> payment_state_names{"due", "late", "received"};
constexpr const auto& names_of(payment_state) { return payment_state_names; }

/// A payment that was received only in part is due or late.
payment_state state_of(const office_payment& payment, domain::date today);

struct payment_filter {
  std::optional<domain::date> due_from, due_to; ///< both inclusive
  std::optional<payment_state> state;
  std::optional<domain::uuid> booking_id, unit_id;
  std::optional<std::string> platform;
};

/// The place of a payment in the list.
struct payment_place {
  domain::date due{};
  domain::uuid booking_id{};
  domain::payment_kind kind{};
  domain::date period_start{}; ///< the epoch: none

  friend bool operator<(const payment_place& a, const payment_place& b) {
    return std::tie(a.due, a.booking_id, a.kind, a.period_start) <
           std::tie(b.due, b.booking_id, b.kind, b.period_start);
  }
};
payment_place place_of(const office_payment& payment);

/// Returns the payments by due date: those after a place, at most `limit`. Reads the plans of all bookings
/// that the filter allows, some at a time. For all payments, places_of_payments() and payments_at() read
/// less.
office_page<office_payment> list_payments(session& db, const office_scope& scope,
                                          const payment_filter& filter, domain::date today,
                                          const std::optional<payment_place>& after, std::size_t limit);

/// The payments of a booking that are due on a day.
struct due_booking {
  domain::date due{};
  domain::uuid booking_id{};

  friend bool operator==(const due_booking&, const due_booking&) = default;
  friend bool operator<(const due_booking& a, const due_booking& b) {
    return std::tie(a.due, a.booking_id) < std::tie(b.due, b.booking_id);
  }
};

/// Returns where payments are that the filter allows, in the order of the list.
std::vector<due_booking> places_of_payments(session& db, const office_scope& scope,
                                            const payment_filter& filter, domain::date today);

/// Returns the payments at some successive places of places_of_payments(), in the order of the list. Reads
/// only the plans of their bookings.
std::vector<office_payment> payments_at(session& db, const payment_filter& filter, domain::date today,
                                        std::span<const due_booking> places);

/// Changes what was received: `apply` sets or resets `received`. Refuses more than the amount.
office_outcome<office_payment> change_payment(session& db, const lease& held, const office_scope& scope,
                                              const office_change<office_payment>& request,
                                              const office_author& author);

} // namespace roost::store
