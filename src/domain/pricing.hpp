#pragma once

#include "domain/account.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <optional>

namespace roost::domain {

/// Rent with the landlord's markup for a platform, then rounded up to a whole number (Partner API, Listing
/// object, rule 2). No card: no markup.
money with_markup(money rent, const platform_card* card);

/// A unit's rent, without markup, in the month of `day`. An unpriced month costs the headline rent, so that a
/// stay is never free.
money rent_in_month_of(const unit& of, date day);

/// What every occupant after the first pays a month; 0 when the unit sleeps one.
money extra_price_per_tenant(const unit& of);

/// What the platform collected, where `sent` is what it says. Marketplace D and the booking engine may leave
/// it out: then it is the first month's rent with markup and the extra-occupant charge. Marketplace D means
/// no more than the rent when it sends exactly that for several occupants, be it the month's or the one that
/// its full feed publishes: their charge is added. Other platforms have to say it: nothing (Partner API,
/// Booking submission request).
std::optional<money> provider_payment_of(const unit& of, platform_kind kind, const platform_card* card,
                                         date check_in, int occupants, std::optional<money> sent);

} // namespace roost::domain
