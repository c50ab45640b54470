#include "listings/full_parts.hpp"

#include <utility>

namespace roost::listings::full {

/// Marketplace D's full format: a house with one room, amounts in whole units of the currency, nights
/// inclusive, texts by language.
namespace marketplace_d {
namespace {

/// Returns the two parts of the stored ID `<property_id>_<room_id>`, neither with an underscore. The room is
/// the unit's UUID if the ID has no underscore, as for a unit that is not linked.
std::pair<std::string_view, std::string> house_and_room(const full_source& from) {
  const auto separator = from.external_id.find('_');
  if (separator == std::string_view::npos) return {from.external_id, domain::to_string(from.terms.id)};
  auto room = std::string(from.external_id.substr(separator + 1));
  std::erase(room, '_');
  return {from.external_id.substr(0, separator), std::move(room)};
}

constexpr auto address_of = via(house, &property::address);

constexpr auto location =
    object<address>("", member("street", shared::street), member("number", shared::number),
                    member("floor", shared::floor_of_address), member("postalCode", shared::postal_code),
                    member("city", shared::city), member("countryCode", shared::country));

constexpr auto coordinates =
    object<address>("", member("latitude", shared::latitude), member("longitude", shared::longitude));

constexpr auto write_flags = [](json::writer& json, const full_view& view) {
  json.begin_object();
  features_of_both(view, [&](const std::string& name) {
    json.data_key(name);
    json.value(true);
  });
  json.end_object();
};

constexpr auto amenities = object<full_view>(
    "",
    member(
        "houseCount", [](const full_view& view) { return view.house().features.size(); },
        "How many features the property has"),
    member(
        "roomCount", [](const full_view& view) { return view.shown().features.size(); },
        "How many features the unit has"),
    json::written("flags", write_flags, "Each feature of both, in the landlord's words, with true",
                  json::members_are{R"({"type":"boolean"})"}));

constexpr auto unavailability =
    object<taken_nights>("", member("start", shared::first_night), member("end", shared::last_night));

/// This format has no monthly prices: all three rents are the highest month's.
constexpr auto room = object<full_view>(
    "",
    member(
        "id", [](const full_view& view) { return house_and_room(view.from).second; },
        "The room's part of your ID; the unit's UUID if your ID has none"),
    member("name", shared::label), member("type", shared::kind), member("size", shared::size_of_unit),
    member("energyClass", shared::energy_class),
    member(
        "fixedRent", [](const full_view&) { return true; }, "Always true: this shape has no prices by month"),
    member("rent", shared::rent),
    member("minRent", &full_view::headline, "The same as rent, in the landlord's currency"),
    member("maxRent", &full_view::headline, "The same as rent, in the landlord's currency"),
    member("extraTenantsPrice", via(terms, extra_price_per_tenant),
           "Price a month of each occupant after the first, in the landlord's currency, without markup; 0 "
           "when the unit sleeps one"),
    member("maxTenants", shared::capacity), member("billsIncluded", shared::bills_included),
    member("minimumStayMonths", via(terms, &unit::min_stay_months), shared::min_months.meaning),
    member("maximumStayMonths", via(terms, &unit::max_stay_months), shared::max_months.meaning),
    member("availableFrom", shared::available_from), texts("photos", shared::images_of_unit),
    list("unavailability", blocks_of, unavailability, "Nights that are taken, from today on"));

constexpr auto listing =
    object<full_view>(
        "MarketplaceDFullListing",
        member(
            "id", [](const full_view& view) { return house_and_room(view.from).first; },
            "The property's part of your ID, or all of it if it has no underscore; the unit's UUID if it is "
            "not linked. A unit that is not linked cannot be booked by submission"),
        member("title", shared::title), member("description", shared::description),
        member("type", shared::property_type),
        part("address", address_of, location,
             "The property's address. Its region and neighborhood are members of the listing"),
        part("coordinates", address_of, coordinates, "Where the property is"),
        member("region", via(house, &property::address, &address::region), shared::region.meaning),
        member("neighborhood", via(house, &property::address, &address::neighborhood),
               shared::neighborhood.meaning),
        texts("photos", shared::images_of_property),
        part("amenities", itself, amenities, "What the property and the unit have"),
        values<std::string>("houseRules", via(house, &property::rules),
                            "Rules in the landlord's words, such as no-smoking"),
        member("securityDeposit", shared::deposit), member("extraAdministrativeFee", shared::admin_fee),
        member("cleaningLadyPrice", shared::cleaning_fee), member("landlord_email", shared::landlord_email),
        part("room", itself, room, "What is rented"), member("creationDate", shared::created_at),
        member("modificationDate", via(terms, &unit::updated_at),
               "When the unit's record was last edited, in UTC"),
        member("updated", shared::updated_at))
        .example(R"({"id":"5120","title":{"en":"Room with a balcony"},"description":{"en":"Morning \"sun\"."},
"type":"apartment","address":{"street":"Calle Mayor","number":"12","floor":"3","postalCode":"28013",
"city":"Madrid","countryCode":"ES"},"coordinates":{"latitude":40.4168,"longitude":-3.7038},
"region":"Comunidad de Madrid","neighborhood":"Sol","photos":["https://images.example/kitchen.jpg"],
"amenities":{"houseCount":2,"roomCount":2,"flags":{"elevator":true,"wifi":true,"desk":true}},
"houseRules":["no-smoking"],"securityDeposit":650,"extraAdministrativeFee":150,"cleaningLadyPrice":45,
"landlord_email":"feeds@casaverde.example","room":{"id":"r7","name":"Room 1","type":"room","size":12,"energyClass":"B",
"fixedRent":true,"rent":683,"minRent":683,"maxRent":683,"extraTenantsPrice":0,"maxTenants":1,
"billsIncluded":false,"minimumStayMonths":1,"maximumStayMonths":11,"availableFrom":"2026-12-01",
"photos":["https://images.example/bed.jpg"],"unavailability":[{"start":"2026-11-01","end":"2026-11-30"},
{"start":"2027-03-01","end":"2027-03-31"},{"start":"2028-01-01","end":null}]},
"creationDate":"2026-01-10T08:00:00.000Z","modificationDate":"2026-10-01T12:30:45.678Z",
"updated":"2026-10-02T09:00:00.000Z"})");

} // namespace
} // namespace marketplace_d

const full_format format_d = format_of<marketplace_d::listing>();

} // namespace roost::listings::full
