#pragma once

#include "domain/account.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/platform.hpp"
#include "domain/text.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

using localized_text = std::map<std::string, std::string>; ///< by ISO 639-1 language

struct image {
  std::string url;
  bool placeholder = false; ///< a stock picture: never published

  friend bool operator==(const image&, const image&) = default;
};

enum class property_type { apartment, house, studio, residence };

/// Indexed by property_type, as in portfolio files.
inline constexpr std::array<std::string_view, 4> property_type_names{"apartment", "house", "studio",
                                                                     "residence"};
constexpr const auto& names_of(property_type) { return property_type_names; }

struct address {
  std::string street, number, floor, postal_code, city, region, neighborhood, country_code;
  std::optional<double> latitude, longitude; ///< degrees

  friend bool operator==(const address&, const address&) = default;
};

struct cleaning_fee {
  bool enabled = false;
  money value;
  std::string frequency = "monthly";

  /// Returns the amount; 0 without a fee.
  constexpr money charged() const { return enabled ? value : money{}; }

  friend bool operator==(const cleaning_fee&, const cleaning_fee&) = default;
};

/// How a partly covered month is charged (Partner API, Property creation: incompleteRentType).
enum class part_month {
  daily,       ///< in proportion to its nights
  fortnightly, ///< half a month for up to 15 nights, otherwise the whole month
  monthly,     ///< the whole month
};

inline constexpr std::array<std::string_view, 3> part_month_names{"daily", "fortnightly", "monthly"};
constexpr const auto& names_of(part_month) { return part_month_names; }

/// A building or flat.
struct property {
  uuid id{};
  uuid account_id{};
  std::optional<uuid> owner_id; ///< the property's owner; users of the role Owner belong to one
  std::string internal_name;
  property_type type = property_type::apartment;
  domain::address address;
  std::optional<std::string> partner_currency; ///< overrides the account's in feeds A and B
  domain::cleaning_fee cleaning_fee;
  std::optional<money> monthly_bills, membership_fee, parking;
  std::optional<int> size_square_metres;
  std::optional<std::string> wifi_password; ///< never published
  std::vector<std::string> features, rules;
  localized_text description;
  std::vector<image> images;
  std::optional<std::string> contract_type;           ///< nullopt: the account's
  std::optional<domain::payment_terms> payment_terms; ///< nullopt: the account's
  domain::part_month part_month = domain::part_month::daily;
  bool archived = false;
  timestamp created_at{}, updated_at{};

  friend bool operator==(const property&, const property&) = default;
};

enum class unit_kind { property, room, bed };

/// Indexed by unit_kind, as in portfolio files.
inline constexpr std::array<std::string_view, 3> unit_kind_names{"property", "room", "bed"};
constexpr const auto& names_of(unit_kind) { return unit_kind_names; }

struct month_rent {
  unsigned month = 1; ///< 1 to 12
  money rent;
  timestamp created_at{}, updated_at{};

  friend bool operator==(const month_rent&, const month_rent&) = default;
};

struct rent_terms {
  bool fixed = true;
  money amount;                      ///< fixed rent, a month
  std::vector<month_rent> per_month; ///< variable rent: ascending by month; a missing month is unpriced

  friend bool operator==(const rent_terms&, const rent_terms&) = default;
};

/// Returns the rent of a month (1 to 12); null if the month is unpriced.
const month_rent* find_month(const rent_terms& rent, unsigned month);

/// Sets when each month's rent was created and last changed: now, unless it was there before.
void set_times(rent_terms& rent, const rent_terms& before, timestamp now);

struct bills_terms {
  bool included = false;
  std::optional<money> max_value; ///< monthly cap; nullopt: no cap is published; 0 is a real zero

  friend bool operator==(const bills_terms&, const bills_terms&) = default;
};

enum class fee_mode { fixed, tiered };

inline constexpr std::array<std::string_view, 2> fee_mode_names{"fixed", "tiered"};
constexpr const auto& names_of(fee_mode) { return fee_mode_names; }

struct admin_fee_tier {
  int from_days = 1;
  money value;

  friend bool operator==(const admin_fee_tier&, const admin_fee_tier&) = default;
};

struct admin_fee {
  bool enabled = false;
  fee_mode mode = fee_mode::fixed;
  money value;
  std::vector<admin_fee_tier> tiers; ///< ascending by from_days

  friend bool operator==(const admin_fee&, const admin_fee&) = default;
};

enum class deposit_mode { fixed, rent_multiple };

/// As in the store.
inline constexpr std::array<std::string_view, 2> deposit_mode_names{"fixed", "rent_multiple"};
constexpr const auto& names_of(deposit_mode) { return deposit_mode_names; }

struct deposit_terms {
  deposit_mode mode = deposit_mode::fixed;
  std::int64_t value = 0; ///< fixed: cents; rent_multiple: hundredths of the rent

  friend bool operator==(const deposit_terms&, const deposit_terms&) = default;
};

/// A window in which stays may start and end, for the platforms that support it.
struct booking_window {
  date min_start{}, max_start{}, min_end{}, max_end{};

  friend bool operator==(const booking_window&, const booking_window&) = default;
};

/// A unit for rent: a whole property, a room or a bed. It has the terms that every feed and booking needs.
/// All units stay in memory, so the order of members avoids padding.
struct unit {
  uuid id{};
  uuid property_id{};
  uuid account_id{};
  std::string internal_name;
  std::string room_label;
  unit_kind kind = unit_kind::room;
  int capacity = 1;
  rent_terms rent;
  std::optional<int> min_stay_months, max_stay_months;
  money extra_price_per_tenant, extra_deposit_per_tenant;
  bills_terms bills;
  domain::admin_fee admin_fee;
  deposit_terms deposit;
  money exit_fee;
  std::optional<money> local_rent_cap;
  int preparation_days = 0;
  std::optional<int> advance_notice_days; ///< nullopt: the account's
  bool archived = false;
  std::vector<booking_window> booking_windows;
  std::optional<date> short_term_ical_max_date;
  std::optional<uuid> export_address; ///< of the calendar export; nullopt: the id
  timestamp created_at{}, updated_at{};

  friend bool operator==(const unit&, const unit&) = default;
};

/// Returns the UUID in the URL of the unit's calendar export.
constexpr const uuid& export_address_of(const unit& unit) {
  return unit.export_address ? *unit.export_address : unit.id;
}

/// Details of a unit that only full feeds show. They are not kept in memory.
struct unit_presentation {
  std::optional<int> size_square_metres;
  std::optional<std::string> floor;
  std::optional<int> min_age, max_age;
  std::optional<std::string> registration_number;
  std::optional<std::string> energy_class; ///< of the energy performance certificate
  std::vector<std::string> features;
  localized_text title, description;
  std::vector<image> images;

  friend bool operator==(const unit_presentation&, const unit_presentation&) = default;
};

/// `hold`: nights that a platform holds for a guest who is about to book.
enum class block_source : std::uint8_t { manual, channel, booking, hold };

inline constexpr std::array<std::string_view, 4> block_source_names{"manual", "channel", "booking", "hold"};
constexpr const auto& names_of(block_source) { return block_source_names; }

/// Blocked nights of a unit.
struct block {
  uuid id{};             ///< the booking's id if the source is a booking
  domain::nights nights; ///< nights.last is no_end for a block without end
  boxed_text host;       ///< channel blocks: the short-term host that they came from, or empty
  boxed_text note;       ///< for the landlord's office only; servers do not load it
  timestamp created_at{}, updated_at{};
  block_source source = block_source::manual;
  std::int32_t revision = 0; ///< of a booking: how often its stay was changed

  friend bool operator==(const block&, const block&) = default;
};

/// A calendar of another platform whose events block nights of the unit.
struct imported_calendar {
  uuid id{};
  std::string name;                 ///< for the office
  std::optional<std::string> url;   ///< nullopt: it is uploaded
  std::string host;                 ///< the short-term host that it comes from, or empty
  std::optional<int> every_seconds; ///< between two fetches; nullopt: as configured

  friend bool operator==(const imported_calendar&, const imported_calendar&) = default;
};

/// The most imported calendars of one unit.
inline constexpr std::size_t max_imported_calendars = 20;

/// A unit's link to a platform (Partner API, Unit mapping record).
struct link {
  std::string platform;
  std::string external_id;
  std::optional<std::string> url;

  friend bool operator==(const link&, const link&) = default;
};

/// Returns the unit's headline rent: the fixed rent, or that of the highest month.
money headline_rent(const unit& unit);

/// Returns whether the rent can be published: fixed and above 0, or variable, not empty, and every month
/// above 0 (Partner API, Which units a partial feed contains, rule 4).
bool has_usable_rent(const unit& unit);

/// Returns the deposit for one occupant, without markup (Partner API, Listing object: depositValue).
money deposit_for_one(const unit& unit);

/// Returns the admin fee of a stay: fixed, or that of the tier with the highest from_days not above the days
/// from check-in to check-out; 0 below the first tier (Partner API, Listing object, rule 5).
money admin_fee_for(const unit& unit, date check_in, date check_out);

/// Returns the tier of the admin fee that applies to a stay; null if the fee is fixed or off, or no tier
/// applies.
const admin_fee_tier* admin_fee_tier_for(const unit& unit, date check_in, date check_out);

/// Returns the admin fee in full feeds: the fixed one or the highest tier, rounded up; 0 if it is off.
money headline_admin_fee(const unit& unit);

/// Adds the card's markup, if any, and rounds up to a whole number (Partner API, Listing object, rule 2).
money with_markup(money rent, const platform_card* card);

/// Returns a unit's rent in the month of `day`, without markup; for an unpriced month the headline rent.
money rent_in_month_of(const unit& unit, date day);

/// Returns the monthly charge for each occupant after the first; 0 if the capacity is 1.
money extra_price_per_tenant(const unit& unit);

/// Returns the amount that the platform collected; `sent` is the amount in its request. If marketplace D or
/// the booking engine leaves it out, it is the first month's rent with markup and the extra-occupant charge.
/// If marketplace D sends exactly the rent, of that month or the one that its full feed publishes, the
/// extra-occupant charge is added. Other platforms must send it: nullopt if they do not (Partner API, Booking
/// submission request).
std::optional<money> provider_payment_of(const unit& unit, platform_kind kind, const platform_card* card,
                                         date check_in, int occupants, std::optional<money> sent);

/// The terms of a unit's property that feeds and bookings need.
struct property_terms {
  domain::cleaning_fee cleaning_fee;
  std::optional<money> monthly_bills, membership_fee, parking;
  std::string city;
  std::optional<std::string> contract_type;           ///< nullopt: the account's
  std::optional<domain::payment_terms> payment_terms; ///< nullopt: the account's
  domain::part_month part_month = domain::part_month::daily;
  bool archived = false;
};

inline constexpr int max_stay_limit_months = 1'200;
inline constexpr int max_capacity = 1'000;
inline constexpr std::size_t max_external_id_length = 256; ///< characters of a partner's ID
inline constexpr std::size_t max_name_length = 256;        ///< characters of a name or another short text

/// Returns the booking window with the earliest first check-in whose last check-in is today or later; nullptr
/// if there is none (Partner API, Listing object, rule 8).
const booking_window* open_window(const unit& unit, date today);

/// The shortest and longest stay in months; nullopt or 0: no limit.
struct stay_limits {
  std::optional<int> min_months, max_months;
};

/// Returns the limits of stays in a window: whole months from the last check-in to the first check-out,
/// rounded down and at least 0, and from the first check-in to the last check-out, rounded up.
stay_limits limits_in(const booking_window& window);

/// Returns the limits for marketplace B: those of the open window, or else the unit's own.
stay_limits limits_by_window(const unit& unit, date today);

} // namespace roost::domain
