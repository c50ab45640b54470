#include "listings/full_parts.hpp"

/// Marketplace C's full format: a home with its bedrooms, amounts in whole units of the currency, nights
/// inclusive. A unit that is rented by the room has its price and its nights inside `bedrooms`.
namespace roost::listings::full::marketplace_c {

namespace {

bool is_whole(const full_view& of) { return of.terms().kind == unit_kind::property; }

constexpr auto itself = [](const full_view& of) -> const auto& { return of; };

constexpr auto copy = object<unit_presentation>(
    "", member("title", &unit_presentation::title, meaning::title, localized),
    member("description", &unit_presentation::description, meaning::description_of_unit, localized));

constexpr auto suitability = object<full_view>(
    "", member("capacity", via(&full_view::terms, &unit::capacity), meaning::capacity),
    member("min_age", via(&full_view::shown, &unit_presentation::min_age), meaning::min_age),
    member("max_age", via(&full_view::shown, &unit_presentation::max_age), meaning::max_age),
    values<std::string>("rules", via(&full_view::house, &property::rules), meaning::rules));

constexpr auto location = object<address>(
    "", member("street", &address::street, meaning::street),
    member("number", &address::number, meaning::number),
    member("postal_code", &address::postal_code, meaning::postal_code),
    member("city", &address::city, meaning::city), member("region", &address::region, meaning::region),
    member("neighborhood", &address::neighborhood, meaning::neighborhood),
    member("country_code", &address::country_code, meaning::country),
    member("latitude", &address::latitude, meaning::latitude),
    member("longitude", &address::longitude, meaning::longitude));

/// The amounts of a stay, subject to the rules.
template <typename... Rules>
constexpr auto amounts(Rules... rules) {
  return object<full_view>(
      "", member("monthly", &full_view::headline, meaning::rent, rules...),
      member("deposit", via(&full_view::terms, deposit_for_one), meaning::deposit, rules...),
      member("admin_fee", via(&full_view::terms, headline_admin_fee), meaning::admin_fee, rules...));
}

constexpr auto amounts_of_home = amounts(only_where{is_whole});
constexpr auto amounts_of_bedroom = amounts();

constexpr auto services =
    object<full_view>("", member("periodicCleaning", &full_view::cleaning_fee, meaning::cleaning_fee),
                      member("billsIncluded", via(&full_view::terms, &unit::bills, &bills_terms::included),
                             meaning::bills_included),
                      member("billsIncludedMaxValue", &full_view::included_bills, meaning::included_bills));

constexpr auto pricing = object<full_view>(
    "", included(itself, amounts_of_home),
    part("servicesAndExpenses", itself, services, "What else a month costs, without markup"));

constexpr auto availabilities =
    object<full_view>("", member("available_from", &full_view::available_from, meaning::available_from));

constexpr auto stay = object<unit>("", member("min_months", &unit::min_stay_months, meaning::min_months),
                                   member("max_months", &unit::max_stay_months, meaning::max_months));

constexpr auto occupancy =
    object<taken_nights>("", member("from", &taken_nights::first, meaning::first_night),
                         member("to", &taken_nights::last, meaning::last_night_or_none));

constexpr auto occupancies =
    object<full_view>("", list("occupancies", blocks_of, occupancy, "Nights that are taken, from today on"));

constexpr auto bedroom = object<full_view>(
    "", member("id", via(&full_view::terms, &unit::id), "The unit's UUID, also when it is linked"),
    member("name", via(&full_view::terms, &unit::room_label), meaning::label),
    member("area", via(&full_view::shown, &unit_presentation::size_square_metres), meaning::size_of_unit),
    part("pricing", itself, amounts_of_bedroom, "What a stay in it costs"),
    part("availabilities", itself, occupancies, "Its calendar"),
    values<std::string>("features", via(&full_view::shown, &unit_presentation::features),
                        meaning::features_of_unit),
    values<std::string>("images", images_of_unit, meaning::images_of_unit, format{"uri"}));

constexpr auto property_object = object<full_view>(
    "", member("id", via(&full_view::house, &property::id), meaning::property_id),
    member("type", via(&full_view::house, &property::type), meaning::property_type),
    member("floor", via(&full_view::house, &property::address, &address::floor), meaning::floor_of_address),
    member("area", via(&full_view::house, &property::size_square_metres), meaning::size_of_property),
    member("description", via(&full_view::house, &property::description), meaning::description_of_property,
           localized),
    values<std::string>("features", via(&full_view::house, &property::features),
                        meaning::features_of_property),
    values<std::string>("images", images_of_property, meaning::images_of_property, format{"uri"}));

constexpr auto bedrooms_of = [](const full_view& of, auto yield) {
  if (!is_whole(of)) yield(of);
};

constexpr auto listing =
    object<full_view>(
        "MarketplaceCFullListing",
        member(
            "id", [](const full_view& of) { return of.from.external_id; }, meaning::external_id),
        member("type", via(&full_view::terms, &unit::kind), meaning::kind),
        part("copy", &full_view::shown, copy, "Texts about the unit"),
        part("suitability", itself, suitability, "Whom the unit is for"),
        part("location", via(&full_view::house, &property::address), location, meaning::address),
        part("pricing", itself, pricing,
             "What a stay costs. For a room or bed, monthly, deposit and admin_fee are in its bedroom"),
        member("area", via(&full_view::shown, &unit_presentation::size_square_metres), meaning::size_of_unit),
        energy_class("energy_class"),
        part("availabilities", itself, availabilities,
             "When a stay can begin. The blocked nights of rooms and beds are in bedrooms"),
        member(
            "instant_booking", [](const full_view&) { return true; },
            "Always true: the landlord does not have to accept a booking"),
        part("stay", &full_view::terms, stay, meaning::stay),
        member(
            "status", [](const full_view&) { return json::plain_text{"published"}; },
            "Always published: other units are not in the feed"),
        member("landlord_email", &full_view::integration_email, meaning::landlord_email),
        part("property", itself, property_object, "The building or flat that the unit is in"),
        list("bedrooms", bedrooms_of, bedroom, "The room or bed that is rented; empty for a whole property"),
        member("created_at", via(&full_view::terms, &unit::created_at), meaning::created_at),
        member("updated_at", &full_view::updated_at, meaning::updated_at))
        .example(R"({"id":"771","type":"room","copy":{"title":{"en":"Room with a balcony"},
"description":{"en":"Morning \"sun\"."}},"suitability":{"capacity":1,"min_age":18,"max_age":40,
"rules":["no-smoking"]},"location":{"street":"Calle Mayor","number":"12","postal_code":"28013","city":"Madrid",
"region":"Comunidad de Madrid","neighborhood":"Sol","country_code":"ES","latitude":40.4168,"longitude":-3.7038},
"pricing":{"servicesAndExpenses":{"periodicCleaning":45,"billsIncluded":false,"billsIncludedMaxValue":null}},
"area":12,"energy_class":"B","availabilities":{"available_from":"2026-12-01"},"instant_booking":true,
"stay":{"min_months":1,"max_months":11},"status":"published","landlord_email":"feeds@casaverde.example",
"property":{"id":"33333333-0000-4000-8000-000000000001","type":"apartment","floor":"3","area":96,
"description":{"en":"A long kitchen table.","es":"Una mesa larga."},"features":["elevator","wifi"],
"images":["https://images.example/kitchen.jpg"]},"bedrooms":[{"id":"11111111-0000-4000-8000-000000000001",
"name":"Room 1","area":12,"pricing":{"monthly":683,"deposit":650,"admin_fee":150},
"availabilities":{"occupancies":[{"from":"2026-11-01","to":"2026-11-30"},{"from":"2027-03-01",
"to":"2027-03-31"},{"from":"2028-01-01","to":null}]},"features":["desk","wifi"],
"images":["https://images.example/bed.jpg"]}],"created_at":"2026-01-10T08:00:00.000Z",
"updated_at":"2026-10-02T09:00:00.000Z"})");

/// The bulk response, for its schema only: the response itself is joined from the texts of listings.
constexpr auto bulk = object<std::vector<full_view>>(
    "MarketplaceCFullListings",
    list(
        "properties", [](const std::vector<full_view>& all) -> const auto& { return all; }, listing,
        "All units that the landlord publishes; empty for an unknown key"));

} // namespace

void write(json::writer& json, const full_view& from) { json::write(json, listing, from); }

void add_schemas(json::schemas& to) {
  to.add(listing);
  to.add(bulk);
}

} // namespace roost::listings::full::marketplace_c
