#pragma once

#include "domain/account.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <optional>

namespace roost::domain {

/// Adds the card's markup, if any, and rounds up to a whole number (Partner API, Listing object, rule 2).
money with_markup(money rent, const platform_card* card);

/// Returns a unit's rent in the month of `day`, without markup; for an unpriced month the headline rent.
money rent_in_month_of(const unit& of, date day);

/// Returns the monthly charge for each occupant after the first; 0 if the capacity is 1.
money extra_price_per_tenant(const unit& of);

/// Returns the amount that the platform collected; `sent` is the amount in its request. If marketplace D or
/// the booking engine leaves it out, it is the first month's rent with markup and the extra-occupant charge.
/// If marketplace D sends exactly the rent, of that month or the one that its full feed publishes, the
/// extra-occupant charge is added. Other platforms must send it: nullopt if they do not (Partner API, Booking
/// submission request).
std::optional<money> provider_payment_of(const unit& of, platform_kind kind, const platform_card* card,
                                         date check_in, int occupants, std::optional<money> sent);

} // namespace roost::domain
