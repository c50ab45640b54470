#pragma once

#include "domain/unit.hpp"
#include "json/object.hpp"
#include "listings/listing.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The common parts of the full feeds' formats. Each marketplace's format is described in its own file.
namespace roost::listings::full {

using domain::account, domain::address, domain::admin_fee, domain::admin_fee_tier, domain::bills_terms,
    domain::cleaning_fee, domain::date, domain::days, domain::deposit_for_one, domain::extra_price_per_tenant,
    domain::headline_admin_fee, domain::headline_rent, domain::image, domain::limits_by_window, domain::money,
    domain::month_rent, domain::no_end, domain::platform_card, domain::property, domain::stay_limits,
    domain::to_string, domain::unit, domain::unit_kind, domain::unit_presentation, domain::with_markup;

using json::format, json::one_of, json::only_where, json::minimum, json::maximum, json::refers_to;
using json::list, json::object, json::part, json::values, json::via;

/// A source and the day on which it is written.
struct full_view {
  const full_source& from;
  date today;

  const account& owner() const { return from.account; }
  const property& house() const { return from.property; }
  const unit& terms() const { return from.terms; }
  const unit_presentation& shown() const { return from.shown; }
  const platform_card* card() const { return find_card(from.account, from.platform.name); }
  const std::string& currency() const {
    return house().partner_currency ? *house().partner_currency : owner().currency;
  }
  const domain::localized_text& description() const {
    return shown().description.empty() ? house().description : shown().description;
  }
  /// Returns the headline rent, with markup.
  money headline() const { return with_markup(headline_rent(from.terms), card()); }
};

/// Yields the URLs of images that are not placeholders.
constexpr void images_of(const std::vector<image>& images, auto& yield) {
  for (const auto& image : images)
    if (!image.placeholder) yield(image.url);
}

/// Nights that a full feed shows as blocked.
struct taken_nights {
  date first;
  std::optional<date> last; ///< nullopt: no end
};

/// Yields every stored block that has not ended.
inline constexpr auto stored_blocks_of = [](const full_view& view, auto yield) {
  for (const auto& held : view.from.calendar.blocks())
    if (held.nights.last >= view.today)
      yield({held.nights.first, held.nights.last == no_end ? std::nullopt : std::optional(held.nights.last)});
};

/// Returns the Calendar Block row that the account's card requires, if any (Partner API, Listing object, rule
/// 8a). There is none after a block without end, because full feeds do not show an end for it.
std::optional<taken_nights> calendar_block_of(const full_view& view);

/// Yields the same blocks, followed by the Calendar Block.
inline constexpr auto blocks_of = [](const full_view& view, auto yield) {
  stored_blocks_of(view, yield);
  if (const auto row = calendar_block_of(view)) yield(*row);
};

/// Yields only the blocks that end, for formats that cannot represent a block without end.
template <typename Blocks>
constexpr auto ending(Blocks blocks) {
  return [blocks](const full_view& view, auto yield) {
    blocks(view, [&](const taken_nights& taken) {
      if (taken.last) yield(taken);
    });
  };
}

/// Yields the features of the property, followed by those that only the unit has.
inline constexpr auto features_of_both = [](const full_view& view, auto yield) {
  const auto& house = view.house().features;
  for (const auto& name : house) yield(name);
  for (const auto& name : view.shown().features)
    if (std::ranges::find(house, name) == house.end()) yield(name);
};

/// A member that several formats have, each under its own name: its source, its meaning and its rules.
template <typename Get, typename... Rules>
struct shared_member {
  constexpr shared_member(Get from, std::string_view text, Rules... all)
      : get(from), meaning(text), rules{{all}...} {}

  Get get;
  std::string_view meaning;
  domain::pack<Rules...> rules;
};

template <std::size_t Size, typename Get, typename... Rules>
constexpr auto member(const char (&name)[Size], Get get, std::string_view meaning, Rules... rules) {
  return json::member(name, get, meaning, rules...);
}

/// Describes a shared member, with more rules of one format.
template <std::size_t Size, typename Get, typename... Rules, typename... More>
constexpr auto member(const char (&name)[Size], const shared_member<Get, Rules...>& shared, More... more) {
  const auto described = [&](auto... rules) {
    return json::member(name, shared.get, shared.meaning, rules..., more...);
  };
  return shared.rules.pass_to(described);
}

/// Describes a shared member that is an array of texts.
template <std::size_t Size, typename Get, typename... Rules>
constexpr auto texts(const char (&name)[Size], const shared_member<Get, Rules...>& shared) {
  const auto described = [&](auto... rules) {
    return json::values<std::string>(name, shared.get, shared.meaning, rules...);
  };
  return shared.rules.pass_to(described);
}

// The sources of parts and of steps in paths.
inline constexpr std::identity itself;
inline constexpr auto house = &full_view::house;
inline constexpr auto terms = &full_view::terms;
inline constexpr auto shown = &full_view::shown;

/// The schema of texts by language.
inline constexpr refers_to localized{"LocalizedText"};

namespace shared {

// Members of an address

inline constexpr shared_member street{&address::street,
                                      "The street as the landlord entered it; empty: unknown"};
inline constexpr shared_member number{&address::number, "The house number, any text; empty: unknown"};
inline constexpr shared_member floor_of_address{&address::floor,
                                                "The property's floor, any text; empty: unknown"};
inline constexpr shared_member postal_code{&address::postal_code, "Postal code, any text; empty: unknown"};
inline constexpr shared_member city{&address::city, "The city as the landlord entered it; empty: unknown"};
inline constexpr shared_member region{
    &address::region, "The region as the landlord entered it, such as Comunidad de Madrid; empty: unknown"};
inline constexpr shared_member neighborhood{
    &address::neighborhood, "The neighborhood as the landlord entered it, such as Sol; empty: unknown"};
inline constexpr shared_member country{&address::country_code,
                                       "Country, ISO 3166-1 alpha-2 in capital letters; empty: unknown"};
inline constexpr shared_member latitude{&address::latitude, "Degrees north, -90 to 90; null: unknown"};
inline constexpr shared_member longitude{&address::longitude, "Degrees east, -180 to 180; null: unknown"};

// Members of blocked nights

inline constexpr shared_member first_night{&taken_nights::first, "First blocked night, YYYY-MM-DD"};
inline constexpr shared_member last_night{&taken_nights::last,
                                          "Last blocked night, YYYY-MM-DD, inclusive; null: no end"};

// Members of limits of stays

inline constexpr shared_member min_months{&unit::min_stay_months,
                                          "Shortest stay in months; 0 or null: no minimum"};
inline constexpr shared_member max_months{&unit::max_stay_months,
                                          "Longest stay in months; 0 or null: no maximum"};

// Members of a listing

inline constexpr shared_member external_id{
    [](const full_view& view) { return view.from.external_id; },
    "Your ID; the unit's UUID if it is not linked. A unit that is not linked cannot be booked by submission"};
inline constexpr shared_member property_id{via(terms, &unit::property_id),
                                           "The property's UUID, the same for all units of the property"};
inline constexpr shared_member property_type{via(house, &property::type),
                                             "What kind of building or flat the property is"};
inline constexpr shared_member kind{via(terms, &unit::kind),
                                    "What is rented: the whole property, a room or a bed"};
inline constexpr shared_member available_from{
    [](const full_view& view) {
      const stay_limits stay{view.terms().min_stay_months, view.terms().max_stay_months};
      return first_free_date(view.owner(), view.terms(), view.from.calendar, stay, view.today);
    },
    "First date, YYYY-MM-DD, on which the shortest stay can start, "
    "after the landlord's notice; null: there is none"};
inline constexpr shared_member currency{
    &full_view::currency,
    "The currency of all amounts, ISO 4217: the property's own for marketplaces, else the account's"};
inline constexpr shared_member rent{&full_view::headline,
                                    "Rent a month in the currency of the landlord's account, with markup, "
                                    "rounded up to a whole number. If it varies, that of the highest month"};
inline constexpr shared_member deposit{
    via(terms, deposit_for_one),
    "Deposit for one occupant, in the currency of the landlord's account, without markup"};
inline constexpr shared_member admin_fee{
    via(terms, headline_admin_fee), "One fee for the stay in the landlord's currency, rounded up to a whole "
                                    "number. A tiered fee shows its highest tier; 0 when it is off"};
inline constexpr shared_member cleaning_fee{
    [](const full_view& view) { return view.house().cleaning_fee.charged(); },
    "The property's cleaning fee in the landlord's currency; 0 when there is none"};
inline constexpr shared_member bills_included{via(terms, &unit::bills, &bills_terms::included),
                                              "Whether utility bills are in the rent"};
inline constexpr shared_member label{via(terms, &unit::room_label),
                                     "The landlord's label of the room, such as Room 1; may be empty"};
inline constexpr shared_member capacity{via(terms, &unit::capacity), "Most occupants"};
inline constexpr shared_member size_of_unit{via(shown, &unit_presentation::size_square_metres),
                                            "The unit's area in square metres; null: unknown"};
inline constexpr shared_member size_of_property{via(house, &property::size_square_metres),
                                                "The property's area in square metres; null: unknown"};
inline constexpr shared_member min_age{via(shown, &unit_presentation::min_age),
                                       "Youngest tenant in years; null: no limit"};
inline constexpr shared_member max_age{via(shown, &unit_presentation::max_age),
                                       "Oldest tenant in years; null: no limit"};
inline constexpr shared_member images_of_property{
    [](const full_view& view, auto yield) { images_of(view.house().images, yield); },
    "URLs of pictures of the property, without placeholders", format{"uri"}};
inline constexpr shared_member images_of_unit{
    [](const full_view& view, auto yield) { images_of(view.shown().images, yield); },
    "URLs of pictures of the unit, without placeholders", format{"uri"}};
inline constexpr shared_member title{via(shown, &unit_presentation::title), "The unit's headline", localized};
inline constexpr shared_member description_of_property{via(house, &property::description),
                                                       "Text about the property", localized};
inline constexpr shared_member description_of_unit{via(shown, &unit_presentation::description),
                                                   "Text about the unit", localized};
inline constexpr shared_member description{
    &full_view::description, "Text about the unit, or about the property if the unit has none", localized};
inline constexpr shared_member features_of_property{
    via(house, &property::features), "What the property has, in the landlord's words, such as elevator"};
inline constexpr shared_member features_of_unit{via(shown, &unit_presentation::features),
                                                "What the unit has, in the landlord's words, such as desk"};
inline constexpr shared_member rules{via(house, &property::rules),
                                     "House rules in the landlord's words, such as no-smoking"};
inline constexpr shared_member floor{[](const full_view& view) {
                                       if (view.shown().floor) return view.shown().floor;
                                       const auto& floor = view.house().address.floor;
                                       return floor.empty() ? std::nullopt : std::optional(floor);
                                     },
                                     "The unit's floor, else the property's; null: unknown"};
inline constexpr shared_member registration_number{
    via(shown, &unit_presentation::registration_number),
    "The rental's official registration number; null: unknown"};
inline constexpr shared_member energy_class{
    via(shown, &unit_presentation::energy_class),
    "Class of the unit's energy performance certificate, such as B; missing if the landlord has not stated "
    "it",
    only_where{[](const full_view& view) { return view.shown().energy_class.has_value(); }}};
inline constexpr shared_member landlord_email{
    [](const full_view& view) {
      const auto* const card = view.card();
      return card ? card->integration_email : std::nullopt;
    },
    "The Integration Email of the landlord's card for your platform; null when unset"};
inline constexpr shared_member created_at{via(terms, &unit::created_at),
                                          "When the unit's record was made, in UTC"};
inline constexpr shared_member updated_at{
    [](const full_view& view) { return std::max(view.terms().updated_at, view.house().updated_at); },
    "When the unit's or the property's record was last edited, in UTC. Bookings and blocks do not change it"};

} // namespace shared

/// Describes a property's address, with the names of two members.
template <std::size_t PostalCode, std::size_t CountryCode>
constexpr auto address_object(const char (&postal_code)[PostalCode],
                              const char (&country_code)[CountryCode]) {
  return object<address>("", member("street", shared::street), member("number", shared::number),
                         member("floor", shared::floor_of_address), member(postal_code, shared::postal_code),
                         member("city", shared::city), member("region", shared::region),
                         member("neighborhood", shared::neighborhood), member(country_code, shared::country),
                         member("latitude", shared::latitude), member("longitude", shared::longitude));
}

inline constexpr auto stay_limits_object =
    object<unit>("", member("min_months", shared::min_months), member("max_months", shared::max_months));

/// A marketplace's format.
struct full_format {
  void (*write)(json::writer& json, const full_view& from);
  void (*add_schemas)(json::schemas& to);
};
extern const full_format format_a, format_b, format_c, format_d;

/// Returns the format of the described listing. `More` are further schemas.
template <const auto& Listing, const auto&... More>
constexpr full_format format_of() {
  return {[](json::writer& json, const full_view& from) { json::write(json, Listing, from); },
          [](json::schemas& to) { (to.add(Listing), ..., to.add(More)); }};
}

} // namespace roost::listings::full
