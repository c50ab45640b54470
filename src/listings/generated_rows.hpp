#pragma once

#include "domain/account.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <boost/container/static_vector.hpp>

#include <string_view>

namespace roost::listings {

/// Two years after a day, where a feed must name an end that nobody set.
domain::date two_years_after(domain::date day);

/// The last night of a run as a feed shows it: one without end is shown until two years after today, or after
/// its first night when that comes later.
domain::date shown_last_night(const domain::nights& of, domain::date today);

/// A row of `unavailabilities` that no block stands behind (Partner API, Listing object, rule 8).
struct generated_row {
  domain::nights nights;
  std::string_view reason;
  domain::timestamp created_at{}, updated_at{};
};

/// What a listing's rows are generated from.
struct generated_row_source {
  const domain::calendar& calendar;
  domain::platform_kind kind{};
  const domain::platform_card* card = nullptr;    ///< the account's for the platform
  const domain::booking_window* window = nullptr; ///< marketplace B: the open one
  std::optional<domain::date> available_from;
};

using generated_rows = boost::container::static_vector<generated_row, 3>;

/// The two years from the last night of the unit's latest block on, when the card asks for them and that
/// night is far enough away (Partner API, Listing object, rule 8a). A block without end is as far away as can
/// be: they begin at its shown end.
std::optional<generated_row> calendar_block_row(const domain::calendar& of, const domain::platform_card* card,
                                                domain::date today);

/// The rows of a feed that is built `now`, which is when a row was made that has no time of its own. Later
/// builds of the same day show it as it is: it was not made anew.
generated_rows generated_rows_of(const generated_row_source& from, domain::timestamp now);

} // namespace roost::listings
