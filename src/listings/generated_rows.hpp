#pragma once

#include "domain/account.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <boost/container/static_vector.hpp>

#include <string_view>

namespace roost::listings {

/// Returns the day two years later, at most the last day of year 9999: the shown end of what has none.
domain::date two_years_after(domain::date day);

/// Returns the last night that a feed shows. Nights without end are shown until two years after today, or
/// after their first night if that is later.
domain::date shown_last_night(const domain::nights& blocked, domain::date today);

/// A row of `unavailabilities` without a stored block (Partner API, Listing object, rule 8).
struct generated_row {
  domain::nights nights;
  std::string_view reason;
  domain::timestamp created_at{}, updated_at{};
};

/// The data from which a listing's rows are generated.
struct generated_row_source {
  const domain::calendar& calendar;
  domain::platform_kind kind{};
  const domain::platform_card* card = nullptr;    ///< the account's card for the platform
  const domain::booking_window* window = nullptr; ///< marketplace B: the open window
  std::optional<domain::date> available_from;
};

using generated_rows = boost::container::static_vector<generated_row, 3>;

/// Returns a row for the two years from the (shown) last night of the unit's latest block on, if the card
/// requires it and that night is far enough away (Partner API, Listing object, rule 8a).
std::optional<generated_row> calendar_block_row(const domain::calendar& of, const domain::platform_card* card,
                                                domain::date today);

/// Returns the rows of a feed that is built `now`, the time of rows that have none of their own.
generated_rows generated_rows_of(const generated_row_source& from, domain::timestamp now);

} // namespace roost::listings
