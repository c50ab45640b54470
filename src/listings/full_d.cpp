#include "listings/full_parts.hpp"

#include <utility>

/// Marketplace D's full format: a house with one room, amounts in whole units of the currency, nights
/// inclusive, texts by language.
namespace roost::listings::full::marketplace_d {

namespace {

/// Returns the two parts of the stored ID `<property_id>_<room_id>`, neither with an underscore. The room is
/// the unit's UUID if the ID has no underscore, as for a unit that is not linked.
std::pair<std::string_view, std::string> house_and_room(const full_source& from) {
  const auto separator = from.external_id.find('_');
  if (separator == std::string_view::npos) return {from.external_id, to_string(from.terms.id)};
  auto room = std::string(from.external_id.substr(separator + 1));
  std::erase(room, '_');
  return {from.external_id.substr(0, separator), std::move(room)};
}

constexpr auto itself = [](const full_view& of) -> const auto& { return of; };
constexpr auto address_of = via(&full_view::house, &property::address);

constexpr auto address_object =
    object<address>("", member("street", &address::street, meaning::street),
                    member("number", &address::number, meaning::number),
                    member("floor", &address::floor, meaning::floor_of_address),
                    member("postalCode", &address::postal_code, meaning::postal_code),
                    member("city", &address::city, meaning::city),
                    member("countryCode", &address::country_code, meaning::country));

constexpr auto coordinates = object<address>("", member("latitude", &address::latitude, meaning::latitude),
                                             member("longitude", &address::longitude, meaning::longitude));

constexpr auto write_flags = [](json::writer& json, const full_view& of) {
  json.begin_object();
  features_of_both(of, [&](const std::string& name) {
    json.data_key(name);
    json.value(true);
  });
  json.end_object();
};

constexpr auto amenities = object<full_view>(
    "",
    member(
        "houseCount", [](const full_view& of) { return of.house().features.size(); },
        "How many features the property has"),
    member(
        "roomCount", [](const full_view& of) { return of.shown().features.size(); },
        "How many features the unit has"),
    json::written("flags", write_flags, "Each feature of both, in the landlord's words, with true",
                  json::members_are{R"({"type":"boolean"})"}));

constexpr auto unavailability =
    object<taken_nights>("", member("start", &taken_nights::first, meaning::first_night),
                         member("end", &taken_nights::last, meaning::last_night_or_none));

/// This format has no monthly prices: all three rents are the highest month's.
constexpr auto room = object<full_view>(
    "",
    member(
        "id", [](const full_view& of) { return house_and_room(of.from).second; },
        "The room's part of your ID; the unit's UUID if your ID has none"),
    member("name", via(&full_view::terms, &unit::room_label), meaning::label),
    member("type", via(&full_view::terms, &unit::kind), meaning::kind),
    member("size", via(&full_view::shown, &unit_presentation::size_square_metres), meaning::size_of_unit),
    energy_class("energyClass"),
    member(
        "fixedRent", [](const full_view&) { return true; }, "Always true: this shape has no prices by month"),
    member("rent", &full_view::headline, meaning::rent),
    member("minRent", &full_view::headline, "The same as rent, in the landlord's currency"),
    member("maxRent", &full_view::headline, "The same as rent, in the landlord's currency"),
    member(
        "extraTenantsPrice", via(&full_view::terms, extra_price_per_tenant),
        "Price a month of each occupant after the first, in the landlord's currency, without markup; 0 when "
        "the unit sleeps one"),
    member("maxTenants", via(&full_view::terms, &unit::capacity), meaning::capacity),
    member("billsIncluded", via(&full_view::terms, &unit::bills, &bills_terms::included),
           meaning::bills_included),
    member("minimumStayMonths", via(&full_view::terms, &unit::min_stay_months), meaning::min_months),
    member("maximumStayMonths", via(&full_view::terms, &unit::max_stay_months), meaning::max_months),
    member("availableFrom", &full_view::available_from, meaning::available_from),
    values<std::string>("photos", images_of_unit, meaning::images_of_unit, format{"uri"}),
    list("unavailability", blocks_of, unavailability, "Nights that are taken, from today on"));

constexpr auto listing =
    object<full_view>(
        "MarketplaceDFullListing",
        member(
            "id", [](const full_view& of) { return house_and_room(of.from).first; },
            "The property's part of your ID, or all of it if it has no underscore; the unit's UUID if it is "
            "not linked. A unit that is not linked cannot be booked by submission"),
        member("title", via(&full_view::shown, &unit_presentation::title), meaning::title, localized),
        member("description", &full_view::description, meaning::description, localized),
        member("type", via(&full_view::house, &property::type), meaning::property_type),
        part("address", address_of, address_object,
             "The property's address. Its region and neighbourhood are members of the listing"),
        part("coordinates", address_of, coordinates, "Where the property is"),
        member("region", via(&full_view::house, &property::address, &address::region), meaning::region),
        member("neighborhood", via(&full_view::house, &property::address, &address::neighborhood),
               meaning::neighborhood),
        values<std::string>("photos", images_of_property, meaning::images_of_property, format{"uri"}),
        part("amenities", itself, amenities, "What the property and the unit have"),
        values<std::string>("houseRules", via(&full_view::house, &property::rules),
                            "Rules in the landlord's words, such as no-smoking"),
        member("securityDeposit", via(&full_view::terms, deposit_for_one), meaning::deposit),
        member("extraAdministrativeFee", via(&full_view::terms, headline_admin_fee), meaning::admin_fee),
        member("cleaningLadyPrice", &full_view::cleaning_fee, meaning::cleaning_fee),
        member("landlord_email", &full_view::integration_email, meaning::landlord_email),
        part("room", itself, room, "What is rented"),
        member("creationDate", via(&full_view::terms, &unit::created_at), meaning::created_at),
        member("modificationDate", via(&full_view::terms, &unit::updated_at),
               "When the unit's record was last edited, in UTC"),
        member("updated", &full_view::updated_at, meaning::updated_at))
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

void write(json::writer& json, const full_view& from) { json::write(json, listing, from); }

void add_schemas(json::schemas& to) { to.add(listing); }

} // namespace roost::listings::full::marketplace_d
