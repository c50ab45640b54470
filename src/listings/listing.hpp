#pragma once

#include "domain/account.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"
#include "json/schema.hpp"
#include "json/writer.hpp"

#include <boost/container/static_vector.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace roost::listings {

/// The data from which a unit's listing on one platform is made; it must outlive the source.
struct listing_source {
  const domain::account& account;
  const domain::property_terms& property;
  const domain::unit& terms;
  const domain::calendar& calendar;
  const domain::platform& platform;
  std::string_view external_id;
};

/// The data from which a full listing is made; it must outlive the source.
struct full_source {
  const domain::account& account;
  const domain::property& property;
  const domain::unit& terms;
  const domain::unit_presentation& shown;
  const domain::calendar& calendar;
  const domain::platform& platform;
  std::string_view external_id;               ///< the linked ID, or the unit's UUID if it is not linked
  const std::optional<std::string>& link_url; ///< the unit's page on the platform
};

/// Whether a listing shows blocks that ended before today.
enum class past_blocks { shown, left_out };

/// Returns the first date on which a stay of the shortest length can start, after the landlord's notice;
/// nullopt if no such date comes before a block without end (Partner API, Listing object, rule 7).
std::optional<domain::date> first_free_date(const domain::account& account, const domain::unit& terms,
                                            const domain::calendar& nights, const domain::stay_limits& stay,
                                            domain::date today);

/// Returns the day two years later, at most the last day of year 9999: shown as the end of open-ended
/// periods.
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
std::optional<generated_row> calendar_block_row(const domain::calendar& calendar,
                                                const domain::platform_card* card, domain::date today);

/// Returns the rows of a feed that is built `now`. Rows without times of their own have midnight UTC of the
/// day, so that a listing is a function of the unit's state and the date.
generated_rows generated_rows_of(const generated_row_source& from, domain::timestamp now);

/// Writes the listing object of partial feeds and booking-engine reads as of `now` (Partner API, Listing
/// object). Lists omit blocks that ended before today; single reads show them. Unless the source changes, the
/// text is valid for the whole day: only generated rows show the time of writing.
void write_listing(json::writer& json, const listing_source& from, domain::timestamp now, past_blocks past);

/// Adds the schema of that object.
void add_listing_schema(json::schemas& to);

/// Writes the listing in the platform's own format (Partner API, Full-feed objects). It shows only stored
/// blocks that have not ended, and never placeholder images or the Wi-Fi password. Throws std::logic_error
/// without a full feed.
void write_full_listing(json::writer& json, const full_source& from, domain::date today);

/// Adds the schemas of all formats.
void add_full_schemas(json::schemas& to);

/// The text around the listings of a bulk response: an array, or C's object with `properties`.
struct bulk_brackets {
  std::string_view open, close;
};
bulk_brackets bulk_brackets_of(domain::platform_kind kind);

} // namespace roost::listings
