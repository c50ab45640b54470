#pragma once

#include "domain/account.hpp"
#include "domain/text.hpp"
#include "domain/unit.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// The purpose of a line of a payment plan.
enum class payment_kind { rent, deposit, admin_fee, cleaning_fee, exit_fee, provider_platform_payment };

inline constexpr std::array<std::string_view, 6> payment_kind_names{
    "rent", "deposit", "admin_fee", "cleaning_fee", "exit_fee", "provider_platform_payment"};
constexpr const auto& names_of(payment_kind) { return payment_kind_names; }

/// A payer or a payee.
enum class payment_party { tenant, landlord, platform };

inline constexpr std::array<std::string_view, 3> payment_party_names{"tenant", "landlord", "platform"};
constexpr const auto& names_of(payment_party) { return payment_party_names; }

/// A limit that platforms enforce themselves. A stay that exceeds it is booked anyway (Partner API, Limits).
enum class stay_warning { above_capacity, shorter_than_minimum, longer_than_maximum };

inline constexpr std::array<std::string_view, 3> stay_warning_names{"above_capacity", "shorter_than_minimum",
                                                                    "longer_than_maximum"};
constexpr const auto& names_of(stay_warning) { return stay_warning_names; }

/// A line of a payment plan.
struct payment_line {
  payment_kind kind{};
  money amount; ///< above 0
  date due{};
  payment_party payer = payment_party::tenant;
  payment_party payee = payment_party::landlord;
  std::optional<nights> period; ///< rent and monthly cleaning fees: the nights that the amount covers

  friend bool operator==(const payment_line&, const payment_line&) = default;
};

/// A booking's unchanging copy of the landlord's terms (Partner API, Booking submission request).
struct booking_terms {
  std::string contract_type;
  std::string check_in_time, check_out_time; ///< `HH:MM`
  domain::payment_terms payment_terms;
  bills_terms bills;
  std::string cleaning_frequency;
  std::vector<payment_line> plan; ///< by due date; the recorded Provider platform payment is its last line

  friend bool operator==(const booking_terms&, const booking_terms&) = default;
};

/// The landlord's setup from which booking terms are made.
struct terms_source {
  const domain::account& account;
  const property_terms& property;
  const domain::unit& unit;
  const platform_card* card;   ///< nullptr: no card, and no markup
  bool has_exact_rent = false; ///< without a platform: the rent is neither marked up nor rounded
};

/// The stay for which booking terms are made.
struct booked_stay {
  date check_in{}, check_out{}; ///< check_in < check_out
  int occupants = 1;
  money provider_payment;
  date confirmed_on{};
};

/// Returns the terms of a booking with its payment plan: one line of rent per calendar month, with part
/// months charged as the property's `part_month` says; the deposit; the fees; and the platform's payment.
/// Nothing is due before confirmation.
///
/// Amounts are capped below the amount limit. A plan has at most `max_rent_lines` lines of rent; the last one
/// covers all remaining nights.
booking_terms make_booking_terms(const terms_source& from, const booked_stay& stay);

inline constexpr std::size_t max_rent_lines = 600; ///< 50 years of months

/// Returns the id of a payment of a booking, which has at most one of a kind for each calendar month. It
/// stays the same when the plan is calculated again, also for a stay that begins on another day of the month.
/// A UUID of version 8 (RFC 9562): it begins like the booking's id, so that the booking can be found by it,
/// and the rest is a hash.
uuid payment_id(const uuid& booking, payment_kind kind, std::optional<date> period_start);

/// Returns whether the payment is one of the booking, with a period at most a century from this day of the
/// stay. Payments of other plans that the booking has had count, too.
bool is_payment_of(const uuid& payment, const uuid& booking, date day_of_stay);

/// The ids of the bookings that a payment can belong to, both inclusive.
struct booking_range {
  uuid first{}, last{};
};
booking_range bookings_of_payment(const uuid& payment);

/// Returns the sum of all lines that the tenant pays.
money total_owed(const std::vector<payment_line>& plan);

} // namespace roost::domain
