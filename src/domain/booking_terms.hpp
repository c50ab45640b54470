#pragma once

#include "domain/account.hpp"
#include "domain/unit.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// What a line of a payment plan is for.
enum class payment_kind { rent, deposit, admin_fee, cleaning_fee, exit_fee, provider_platform_payment };

std::string_view to_string(payment_kind kind); ///< `rent`, `deposit`, …

/// Who pays, and who is paid.
enum class payment_party { tenant, landlord, platform };

std::string_view to_string(payment_party party);

/// One amount of a payment plan.
struct payment_line {
  payment_kind kind{};
  money amount; ///< above 0
  date due{};
  payment_party payer = payment_party::tenant;
  payment_party payee = payment_party::landlord;
  std::optional<nights> period; ///< rent and a monthly cleaning fee: the nights that it is for

  friend bool operator==(const payment_line&, const payment_line&) = default;
};

/// What a booking copies from the landlord's setup, so that later changes of the setup leave it alone
/// (Partner API, Booking submission request).
struct booking_terms {
  std::string contract_type;
  std::string check_in_time, check_out_time; ///< `HH:MM`
  domain::payment_terms payment_terms;
  bills_terms bills;
  std::string cleaning_frequency;
  std::vector<payment_line> plan; ///< by due date; the recorded Provider platform payment is its last line

  friend bool operator==(const booking_terms&, const booking_terms&) = default;
};

/// Whose terms they are.
struct terms_source {
  const domain::account& account;
  const property_terms& property;
  const domain::unit& unit;
  const platform_card* card; ///< null: none, and no markup
};

/// What they are for.
struct booked_stay {
  date check_in{}, check_out{}; ///< check_in < check_out
  int occupants = 1;
  money provider_payment;
  date confirmed_on{};
};

/// The terms of a booking with its payment plan: one line of rent a calendar month, of which a part costs its
/// share of nights; the deposit; the fees; and what the platform pays. Nothing is due before confirmation.
///
/// What nobody can owe is cut: an amount stays below the amount limit, and a plan has at most
/// `max_rent_lines` lines of rent, the last of which is for all that remains.
booking_terms make_booking_terms(const terms_source& from, const booked_stay& stay);

inline constexpr std::size_t max_rent_lines = 600; ///< fifty years of months

/// What the tenant owes by the plan: all lines but the platform's.
money total_owed(const std::vector<payment_line>& plan);

} // namespace roost::domain
