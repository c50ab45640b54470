#include "listings/costs.hpp"
#include "listings/full_parts.hpp"

namespace roost::listings::full {

/// Marketplace C's full format: a home with its bedrooms, amounts in whole units of the currency, nights
/// inclusive. A unit that is rented by the room has its price and its nights inside `bedrooms`.
namespace marketplace_c {
namespace {

bool is_whole(const full_view& view) { return view.terms().kind == unit_kind::property; }

constexpr auto copy =
    object<full_view>("", member("title", shared::title), member("description", shared::description_of_unit));

constexpr auto suitability =
    object<full_view>("", member("capacity", shared::capacity), member("min_age", shared::min_age),
                      member("max_age", shared::max_age), texts("rules", shared::rules));

constexpr auto location =
    object<address>("", member("street", shared::street), member("number", shared::number),
                    member("postal_code", shared::postal_code), member("city", shared::city),
                    member("region", shared::region), member("neighborhood", shared::neighborhood),
                    member("country_code", shared::country), member("latitude", shared::latitude),
                    member("longitude", shared::longitude));

/// The amounts of a stay, subject to the rules.
template <typename... Rules>
constexpr auto amounts(Rules... rules) {
  return object<full_view>("", member("monthly", shared::rent, rules...),
                           member("deposit", shared::deposit, rules...),
                           member("admin_fee", shared::admin_fee, rules...));
}

constexpr auto amounts_of_home = amounts(only_where{is_whole});
constexpr auto amounts_of_bedroom = amounts();

constexpr auto services = object<full_view>(
    "", member("periodicCleaning", shared::cleaning_fee), member("billsIncluded", shared::bills_included),
    member("billsIncludedMaxValue", via(terms, included_bills),
           "How much of the bills is included a month, in the landlord's currency; 0 is a real zero; null: "
           "no cap is published, or bills are not included"));

constexpr auto pricing = object<full_view>(
    "", included(itself, amounts_of_home),
    part("servicesAndExpenses", itself, services, "What else a month costs, without markup"));

constexpr auto availabilities = object<full_view>("", member("available_from", shared::available_from));

constexpr auto occupancy =
    object<taken_nights>("", member("from", shared::first_night), member("to", shared::last_night));

constexpr auto occupancies =
    object<full_view>("", list("occupancies", blocks_of, occupancy, "Nights that are taken, from today on"));

constexpr auto bedroom =
    object<full_view>("", member("id", via(terms, &unit::id), "The unit's UUID, also when it is linked"),
                      member("name", shared::label), member("area", shared::size_of_unit),
                      part("pricing", itself, amounts_of_bedroom, "What a stay in it costs"),
                      part("availabilities", itself, occupancies, "Its calendar"),
                      texts("features", shared::features_of_unit), texts("images", shared::images_of_unit));

constexpr auto property_object = object<full_view>(
    "", member("id", via(house, &property::id), shared::property_id.meaning),
    member("type", shared::property_type),
    member("floor", via(house, &property::address, &address::floor), shared::floor_of_address.meaning),
    member("area", shared::size_of_property), member("description", shared::description_of_property),
    texts("features", shared::features_of_property), texts("images", shared::images_of_property));

constexpr auto bedrooms_of = [](const full_view& view, auto yield) {
  if (!is_whole(view)) yield(view);
};

constexpr auto listing =
    object<full_view>(
        "MarketplaceCFullListing", member("id", shared::external_id), member("type", shared::kind),
        part("copy", itself, copy, "Texts about the unit"),
        part("suitability", itself, suitability, "The guests the unit is suitable for"),
        part("location", via(house, &property::address), location, "The property's address"),
        part("pricing", itself, pricing,
             "What a stay costs. For a room or bed, monthly, deposit and admin_fee are in its bedroom"),
        member("area", shared::size_of_unit), member("energy_class", shared::energy_class),
        part("availabilities", itself, availabilities,
             "When a stay can begin. The blocked nights of rooms and beds are in bedrooms"),
        member(
            "instant_booking", [](const full_view&) { return true; },
            "Always true: the landlord does not have to accept a booking"),
        part("stay", terms, stay_limits_object, "Limits of a stay"),
        member(
            "status", [](const full_view&) { return json::plain_text{"published"}; },
            "Always published: other units are not in the feed"),
        member("landlord_email", shared::landlord_email),
        part("property", itself, property_object, "The building or flat that the unit is in"),
        list("bedrooms", bedrooms_of, bedroom, "The room or bed that is rented; empty for a whole property"),
        member("created_at", shared::created_at), member("updated_at", shared::updated_at))
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
} // namespace marketplace_c

const full_format format_c = format_of<marketplace_c::listing, marketplace_c::bulk>();

} // namespace roost::listings::full
