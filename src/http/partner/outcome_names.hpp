#pragma once

#include "domain/booking.hpp"

#include <array>
#include <string_view>

/// The names of outcomes of bookings that partners and the office know.
namespace roost::http {

/// The names of domain::cancelled_by in the API, where platforms are partners.
inline constexpr std::array<std::string_view, 2> canceller_names{"partner", "landlord"};

/// All names of refusals that a submission may get.
inline constexpr std::array<std::string_view, 5> partner_refusal_names{
    "listing_not_found", "nights_taken", "nights_held", "no_payment_value", "dates_out_of_order"};

/// All names of refusals that a change of a stay may get.
inline constexpr std::array<std::string_view, 8> change_refusal_names{
    "listing_not_found",  "nights_taken",    "nights_held",       "no_payment_value",
    "dates_out_of_order", "booking_refused", "booking_cancelled", "not_allowed"};

/// The names of refusals that partners know.
inline std::string_view partner_name_of(domain::refusal refusal) {
  switch (refusal) {
  case domain::refusal::overlapping_nights:
    return "nights_taken";
  case domain::refusal::held_nights:
    return "nights_held";
  case domain::refusal::provider_payment_missing:
    return "no_payment_value";
  case domain::refusal::check_out_not_after_check_in:
    return "dates_out_of_order";
  case domain::refusal::booking_refused:
    return "booking_refused";
  case domain::refusal::booking_cancelled:
    return "booking_cancelled";
  case domain::refusal::changes_not_allowed:
  case domain::refusal::stay_begun:
  case domain::refusal::stay_over:
    return "not_allowed";
  default:
    return "listing_not_found";
  }
}

} // namespace roost::http
