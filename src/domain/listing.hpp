#pragma once

#include "domain/account.hpp"
#include "domain/booking_window.hpp"
#include "domain/calendar.hpp"
#include "domain/json.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"

namespace roost::domain {

/// Everything that a unit's listing on one platform is made from.
struct listing_source {
  const domain::account& account;
  const property_terms& property;
  const unit& terms;
  const domain::calendar& calendar;
  const domain::platform& platform;
  std::string_view external_id;
};

/// Which rows of the calendar a listing shows.
enum class past_blocks { shown, left_out };

/// First date on which a stay of the shortest length can start, after the landlord's notice; none when no
/// such date comes before a block without end (Partner API, Listing object, rule 7).
std::optional<date> first_free_date(const account& of, const unit& terms, const calendar& nights,
                                    const stay_limits& stay, date today);

/// Writes the listing object of partial feeds and booking-engine reads as it is `now` (Partner API, Listing
/// object). The list leaves out blocks that ended before today; the single read shows them. While its source
/// stays the same, the text is true for the whole day: only generated rows tell when they were made.
void write_listing(json_writer& json, const listing_source& from, timestamp now, past_blocks past);

/// Whether a unit counts as not linked, to whatever platform: it is excluded from the feed, or it or its
/// property is archived (Partner API, Which units a partial feed contains, rules 2 and 3).
bool is_withheld(const unit& terms, const property_terms& property, bool excluded);

/// Whether a unit may be shown on a platform (Partner API, Which units a partial feed contains, rules 2 to
/// 4).
enum class publication {
  published,
  withheld, ///< see is_withheld()
  no_usable_rent,
  unsupported_region, ///< marketplace D: a city that it does not accept
};

publication publication_of(const unit& terms, const property_terms& property, const platform& on,
                           bool excluded);

/// Whether two names of a place are the same without regard to case and accents.
bool same_place(std::string_view a, std::string_view b);

} // namespace roost::domain
