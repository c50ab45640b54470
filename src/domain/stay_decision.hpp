#pragma once

#include "domain/booking.hpp"
#include "domain/booking_terms.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The decision about a stay that a platform requests, or the office for a guest who calls.
namespace roost::domain {

/// Returns whether a unit counts as not linked on all platforms: it is excluded from the feed, or it or its
/// property is archived (Partner API, Which units a partial feed contains, rules 2 and 3).
inline bool is_withheld(const unit& terms, const property_terms& property, bool is_excluded) {
  return is_excluded || terms.archived || property.archived;
}

/// Returns whether the platform can name a unit of this account when it books: a unit of its own landlord;
/// one that is linked to it; or any unit, by its UUID, through a marketplace's webhook (Partner API, Inbound
/// webhooks).
inline bool can_name_unit(const platform& on, const uuid& account, bool is_linked) {
  const auto& traits = traits_of(on);
  if (traits.is_single_landlord) return on.account == account;
  return is_linked || traits.webhook != marketplace::none;
}

/// A unit with everything that decides about a stay, except its calendar.
struct bookable_unit {
  terms_source terms;
  const platform* sold_on = nullptr; ///< nullptr: booked by hand, without a platform
  bool is_withheld = false;          ///< it cannot be booked there
};

struct requested_stay {
  date check_in{}, check_out{};
  int occupants = 1;
  std::optional<money> provider_payment; ///< as the request states it
  date confirmed_on{};
};

/// Returns the provider payment of a stay: the stated one, or one that follows from the rent. Without a
/// platform, it may be missing: 0. nullopt if the platform must state it.
std::optional<money> provider_payment_of(const bookable_unit& unit, const requested_stay& stay);

/// Calls `visit(refusal)` with each reason why a stay is refused, until it returns true. Sets `payment` if
/// the checks reach it. The last one is `taken_by(nights)`, which returns a refusal or nullopt.
template <typename TakenBy, typename Visit>
void for_each_refusal(const bookable_unit& unit, const requested_stay& stay, money& payment, TakenBy taken_by,
                      Visit visit) {
  if (unit.is_withheld && visit(refusal::unit_not_linked)) return;
  if (stay.check_out <= stay.check_in) {
    visit(refusal::check_out_not_after_check_in);
    return; // it has no nights to check
  }
  const auto stated = provider_payment_of(unit, stay);
  if (stated && (unit.sold_on == nullptr || *stated > money{0}))
    payment = *stated;
  else if (visit(refusal::provider_payment_missing))
    return;
  if (const auto taken = taken_by(stay_nights(stay.check_in, stay.check_out))) visit(*taken);
}

/// Returns why a stay is refused: the first reason. Sets `payment` if it is not.
template <typename TakenBy>
std::optional<refusal> refusal_of(const bookable_unit& unit, const requested_stay& stay, money& payment,
                                  TakenBy taken_by) {
  std::optional<refusal> first;
  for_each_refusal(unit, stay, payment, taken_by, [&](refusal reason) {
    first = reason;
    return true;
  });
  return first;
}

/// Returns the terms of a stay that is not refused.
booking_terms terms_of(const bookable_unit& unit, const requested_stay& stay, money payment);

/// Returns the limits that a stay exceeds; they do not prevent the booking.
std::vector<stay_warning> warnings_of(const unit& unit, const requested_stay& stay);

/// Returns the nights among these that blocks of the calendar contain, as ranges that neither overlap nor
/// touch, in order.
std::vector<nights> taken_nights(const calendar& calendar, const nights& among);

/// Returns why the nights of a stay are not free in a calendar; nullopt if they are. Ignores the hold that
/// the request has claimed.
std::optional<refusal> taken_by(const calendar& calendar, const nights& stay,
                                const std::optional<uuid>& claimed_hold = std::nullopt);

/// The decision about a stay in a calendar that nothing else changes.
struct stay_decision {
  /// Returns the reason with which a request for the stay is refused.
  std::optional<refusal> refused() const {
    return refusals.empty() ? std::nullopt : std::optional{refusals.front()};
  }

  std::vector<refusal> refusals; ///< all reasons, in the order of the checks
  std::vector<nights> taken;     ///< the nights of the stay that are taken
  money provider_payment;        ///< 0 if it is missing
  nights blocked;                ///< the nights that the booking blocks, preparation included
  /// Also of a stay that is refused, unless its dates are out of order: then null.
  std::shared_ptr<const booking_terms> terms;
  std::vector<stay_warning> warnings;
};

stay_decision decide(const bookable_unit& unit, const requested_stay& stay, const calendar& calendar);

/// The rent of one month, or of its nights that belong to the stay.
struct month_of_stay {
  date first_night{};
  std::int64_t nights = 0;
  money amount;

  friend bool operator==(const month_of_stay&, const month_of_stay&) = default;
};

/// The amounts that a tenant pays for a stay, by purpose.
struct stay_costs {
  std::vector<month_of_stay> rent;
  money cleaning_fee, admin_fee, exit_fee, deposit;
  std::optional<int> admin_fee_from_days; ///< of the tier that applies; nullopt: a fixed fee or none
  money total;
};

/// Returns the sums of a plan's lines.
stay_costs costs_of(const std::vector<payment_line>& plan, const unit& unit, const requested_stay& stay);

/// The price of a stay, and whether it can be booked now.
struct stay_quote {
  stay_decision decision;
  stay_costs costs;
  std::string currency;
};

/// Returns what a request for the stay would be decided in this calendar. The stay's dates must be in order.
stay_quote quote_of(const bookable_unit& unit, const requested_stay& stay, const calendar& calendar);

} // namespace roost::domain
