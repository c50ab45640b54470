#pragma once

#include "domain/pricing.hpp"
#include "json/object.hpp"
#include "listings/full_source.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

/// The common parts of the full feeds' formats. Each marketplace's format is described in its own file.
namespace roost::listings::full {

using domain::account, domain::address, domain::admin_fee, domain::admin_fee_tier, domain::bills_terms,
    domain::cleaning_fee, domain::date, domain::days, domain::deposit_for_one, domain::extra_price_per_tenant,
    domain::fee_mode, domain::headline_admin_fee, domain::image, domain::limits_by_window,
    domain::localized_text, domain::money, domain::month_rent, domain::no_end, domain::property,
    domain::property_type, domain::timestamp, domain::to_string, domain::unit, domain::unit_kind,
    domain::unit_presentation, domain::with_markup;

using json::format, json::one_of, json::only_where, json::minimum, json::maximum, json::refers_to;
using json::list, json::member, json::object, json::part, json::values, json::via;

/// A source and the day on which it is written.
struct full_view {
  const full_source& from;
  date today;

  const account& owner() const { return from.account; }
  const property& house() const { return from.property; }
  const unit& terms() const { return from.terms; }
  const unit_presentation& shown() const { return from.shown; }
  /// Returns the headline rent, with markup.
  money headline() const;
  /// Returns the first date on which the shortest stay can start; nullopt if none fits before a block without
  /// end.
  std::optional<date> available_from() const;
  /// Returns the property's currency for partners, or else the account's.
  const std::string& currency() const;
  /// Returns the unit's floor, or else its property's; nullopt if neither is known.
  std::optional<std::string> floor() const;
  std::optional<std::string> integration_email() const;
  money cleaning_fee() const { return house().cleaning_fee.enabled ? house().cleaning_fee.value : money{}; }
  /// Returns the cap of included bills; nullopt if there is none, or if bills are not included.
  std::optional<money> included_bills() const {
    return terms().bills.included ? terms().bills.max_value : std::nullopt;
  }
  /// Returns when the unit or its property was last edited.
  timestamp updated_at() const { return std::max(terms().updated_at, house().updated_at); }

  /// Returns the unit's description, or the property's if there is none.
  const localized_text& description() const {
    return shown().description.empty() ? house().description : shown().description;
  }
};

// Sources of members that several formats share.

constexpr auto images_of(const std::vector<image>& images, auto& yield) {
  for (const auto& image : images)
    if (!image.placeholder) yield(image.url);
}
inline constexpr auto images_of_property = [](const full_view& of, auto yield) {
  images_of(of.house().images, yield);
};
inline constexpr auto images_of_unit = [](const full_view& of, auto yield) {
  images_of(of.shown().images, yield);
};

/// Nights that a full feed shows as blocked.
struct taken_nights {
  date first;
  std::optional<date> last; ///< nullopt: no end
};

/// Yields every stored block that has not ended.
inline constexpr auto stored_blocks_of = [](const full_view& of, auto yield) {
  for (const auto& held : of.from.calendar.blocks())
    if (held.nights.last >= of.today)
      yield({held.nights.first, held.nights.last == no_end ? std::nullopt : std::optional(held.nights.last)});
};

/// Returns the Calendar Block row that the account's card requires, if any (Partner API, Listing object, rule
/// 8a). There is none after a block without end, because full feeds do not show an end for it.
std::optional<taken_nights> calendar_block_of(const full_view& of);

/// Yields the same blocks, followed by the Calendar Block.
inline constexpr auto blocks_of = [](const full_view& of, auto yield) {
  stored_blocks_of(of, yield);
  if (const auto row = calendar_block_of(of)) yield(*row);
};

/// Yields only the blocks that end, for formats that cannot represent a block without end.
template <typename Blocks>
struct ending {
  Blocks blocks;
  void operator()(const full_view& of, auto yield) const {
    blocks(of, [&](const taken_nights& taken) {
      if (taken.last) yield(taken);
    });
  }
};
template <typename Blocks>
ending(Blocks) -> ending<Blocks>;

/// Yields the features of the property, followed by those that only the unit has.
inline constexpr auto features_of_both = [](const full_view& of, auto yield) {
  const auto& house = of.house().features;
  for (const auto& name : house) yield(name);
  for (const auto& name : of.shown().features)
    if (std::ranges::find(house, name) == house.end()) yield(name);
};

/// Descriptions of members that several formats share.
namespace meaning {

using text = std::string_view;

inline constexpr text external_id =
    "Your ID; the unit's UUID if it is not linked. A unit that is not linked cannot be booked by submission";
inline constexpr text property_id = "The property's UUID, the same for all units of the property";
inline constexpr text property_type = "What kind of building or flat the property is";
inline constexpr text kind = "What is rented: the whole property, a room or a bed";
inline constexpr text address = "The property's address";
inline constexpr text street = "The street as the landlord entered it; empty: unknown";
inline constexpr text number = "The house number, any text; empty: unknown";
inline constexpr text floor_of_address = "The property's floor, any text; empty: unknown";
inline constexpr text postal_code = "Postal code, any text; empty: unknown";
inline constexpr text city = "The city as the landlord entered it; empty: unknown";
inline constexpr text region =
    "The region as the landlord entered it, such as Comunidad de Madrid; empty: unknown";
inline constexpr text neighborhood =
    "The neighbourhood as the landlord entered it, such as Sol; empty: unknown";
inline constexpr text country = "Country, ISO 3166-1 alpha-2 in capital letters; empty: unknown";
inline constexpr text latitude = "Degrees north, -90 to 90; null: unknown";
inline constexpr text longitude = "Degrees east, -180 to 180; null: unknown";
inline constexpr text available_from =
    "First date, YYYY-MM-DD, on which the shortest stay can start, after the "
    "landlord's notice; null: there is none";
inline constexpr text currency =
    "The currency of all amounts, ISO 4217: the property's own for marketplaces, else the account's";
inline constexpr text rent =
    "Rent a month in the currency of the landlord's account, with markup, rounded up to a "
    "whole number. If it varies, that of the highest month";
inline constexpr text deposit =
    "Deposit for one occupant, in the currency of the landlord's account, without markup";
inline constexpr text admin_fee =
    "One fee for the stay in the landlord's currency, rounded up to a whole number. A "
    "tiered fee shows its highest tier; 0 when it is off";
inline constexpr text cleaning_fee =
    "The property's cleaning fee in the landlord's currency; 0 when there is none";
inline constexpr text bills_included = "Whether utility bills are in the rent";
inline constexpr text included_bills = "How much of the bills is included a month, in the landlord's "
                                       "currency; 0 is a real zero; null: no cap is "
                                       "published, or bills are not included";
inline constexpr text stay = "Limits of a stay";
inline constexpr text min_months = "Shortest stay in months; 0 or null: no minimum";
inline constexpr text max_months = "Longest stay in months; 0 or null: no maximum";
inline constexpr text label = "The landlord's label of the room, such as Room 1; may be empty";
inline constexpr text capacity = "Most occupants";
inline constexpr text size_of_unit = "The unit's area in square metres; null: unknown";
inline constexpr text size_of_property = "The property's area in square metres; null: unknown";
inline constexpr text min_age = "Youngest tenant in years; null: no limit";
inline constexpr text max_age = "Oldest tenant in years; null: no limit";
inline constexpr text images_of_property = "URLs of pictures of the property, without placeholders";
inline constexpr text images_of_unit = "URLs of pictures of the unit, without placeholders";
inline constexpr text title = "The unit's headline";
inline constexpr text description_of_property = "Text about the property";
inline constexpr text description_of_unit = "Text about the unit";
inline constexpr text description = "Text about the unit, or about the property if the unit has none";
inline constexpr text features_of_property =
    "What the property has, in the landlord's words, such as elevator";
inline constexpr text features_of_unit = "What the unit has, in the landlord's words, such as desk";
inline constexpr text rules = "House rules in the landlord's words, such as no-smoking";
inline constexpr text floor = "The unit's floor, else the property's; null: unknown";
inline constexpr text first_night = "First blocked night, YYYY-MM-DD";
inline constexpr text last_night = "Last blocked night, YYYY-MM-DD, inclusive";
inline constexpr text last_night_or_none = "Last blocked night, YYYY-MM-DD, inclusive; null: no end";
inline constexpr text registration_number = "The rental's official registration number; null: unknown";
inline constexpr text energy_class = "Class of the unit's energy performance certificate, such as B; missing "
                                     "if the landlord has not stated it";
inline constexpr text landlord_email =
    "The Integration Email of the landlord's card for your platform; null when unset";
inline constexpr text created_at = "When the unit's record was made, in UTC";
inline constexpr text updated_at =
    "When the unit's or the property's record was last edited, in UTC. Bookings and "
    "blocks do not change it";

} // namespace meaning

/// The schema of texts by language.
inline constexpr refers_to localized{"LocalizedText"};

/// Returns the member with the unit's energy class. Units without one have no such member.
template <std::size_t Size>
constexpr auto energy_class(const char (&name)[Size]) {
  return member(name, via(&full_view::shown, &unit_presentation::energy_class), meaning::energy_class,
                only_where{[](const full_view& of) { return of.shown().energy_class.has_value(); }});
}

namespace marketplace_a {
void write(json::writer& json, const full_view& from);
void add_schemas(json::schemas& to);
} // namespace marketplace_a
namespace marketplace_b {
void write(json::writer& json, const full_view& from);
void add_schemas(json::schemas& to);
} // namespace marketplace_b
namespace marketplace_c {
void write(json::writer& json, const full_view& from);
void add_schemas(json::schemas& to);
} // namespace marketplace_c
namespace marketplace_d {
void write(json::writer& json, const full_view& from);
void add_schemas(json::schemas& to);
} // namespace marketplace_d

} // namespace roost::listings::full
