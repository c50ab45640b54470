#include "listings/full_parts.hpp"

/// Marketplace A's full format: snake_case, amounts in whole units of the currency, nights inclusive.
namespace roost::listings::full::marketplace_a {

namespace {

constexpr auto location = object<address>(
    "", member("street", &address::street, meaning::street),
    member("number", &address::number, meaning::number),
    member("floor", &address::floor, meaning::floor_of_address),
    member("postal_code", &address::postal_code, meaning::postal_code),
    member("city", &address::city, meaning::city), member("region", &address::region, meaning::region),
    member("neighborhood", &address::neighborhood, meaning::neighborhood),
    member("country_code", &address::country_code, meaning::country),
    member("latitude", &address::latitude, meaning::latitude),
    member("longitude", &address::longitude, meaning::longitude));

constexpr auto deposit = object<full_view>(
    "", member("value", via(&full_view::terms, deposit_for_one),
               "Deposit for one occupant in the currency of currency_code, without markup"));

constexpr auto tier = object<admin_fee_tier>(
    "",
    member("from_days", &admin_fee_tier::from_days,
           "The shortest stay of this tier, in days from check-in to check-out"),
    member("value", &admin_fee_tier::value, "The fee in the currency of currency_code, not rounded"));

bool has_tiers(const full_view& of) {
  return of.terms().admin_fee.enabled && of.terms().admin_fee.mode == fee_mode::tiered;
}

constexpr auto tiers_of = [](const full_view& of, auto yield) {
  if (!has_tiers(of)) return;
  for (const auto& each : of.terms().admin_fee.tiers) yield(each);
};

constexpr auto admin_fee = object<full_view>(
    "",
    member(
        "value", via(&full_view::terms, headline_admin_fee),
        "One fee for the stay in the currency of currency_code, rounded up to a whole number. A tiered fee "
        "shows its highest tier; 0 when it is off"),
    member(
        "mode", [](const full_view& of) { return has_tiers(of) ? fee_mode::tiered : fee_mode::fixed; },
        "fixed: value, also when there is no fee; tiered: tiers"),
    list("tiers", tiers_of, tier,
         "Ascending by from_days. The last tier that a stay reaches is its fee. Empty unless tiered"));

constexpr auto bills = object<full_view>(
    "",
    member("included", via(&full_view::terms, &unit::bills, &bills_terms::included),
           "Whether they are in the rent"),
    member(
        "max_value", &full_view::included_bills,
        "How much of them is included a month, in the currency of currency_code; 0 is a real zero; null: no "
        "cap is published, or they are not included"));

/// Flags only: this format does not publish the amount.
constexpr auto cleaning = object<cleaning_fee>(
    "", member("charged", &cleaning_fee::enabled, "Whether there is a fee"),
    member(
        "monthly", [](const cleaning_fee& fee) { return fee.enabled && fee.frequency == "monthly"; },
        "true: each month; false: once, or never"));

constexpr auto itself = [](const full_view& of) -> const auto& { return of; };

constexpr auto pricing = object<full_view>(
    "", member("currency_code", &full_view::currency, meaning::currency),
    member("rent", &full_view::headline,
           "Rent a month in the currency of currency_code, with markup, rounded up to a whole number. If it "
           "varies, that of the highest month"),
    part("deposit", itself, deposit, "Due in addition to the rent"),
    part("admin_fee", itself, admin_fee, "Without markup"),
    part("bills", itself, bills, "Whether, and up to which amount, utility bills are in the rent"),
    part("cleaning", via(&full_view::house, &property::cleaning_fee), cleaning,
         "Whether cleaning is charged. The amount is not published"));

constexpr auto stay = object<unit>("", member("min_months", &unit::min_stay_months, meaning::min_months),
                                   member("max_months", &unit::max_stay_months, meaning::max_months));

constexpr auto elements = object<full_view>(
    "", member("label", via(&full_view::terms, &unit::room_label), meaning::label),
    member("capacity", via(&full_view::terms, &unit::capacity), meaning::capacity),
    member("size", via(&full_view::shown, &unit_presentation::size_square_metres), meaning::size_of_unit),
    member(
        "parking", [](const full_view& of) { return of.house().parking.has_value(); },
        "Whether the landlord set a price for parking"));

constexpr auto listing_description = object<unit_presentation>(
    "", member("title", &unit_presentation::title, meaning::title, localized),
    member("text", &unit_presentation::description, meaning::description_of_unit, localized));

constexpr auto blocked_period = object<taken_nights>(
    "", member("from", &taken_nights::first, meaning::first_night),
    member(
        "to", [](const taken_nights& taken) { return *taken.last; }, meaning::last_night));

constexpr auto listing =
    object<full_view>(
        "MarketplaceAFullListing",
        member(
            "reference_id", [](const full_view& of) { return of.from.external_id; }, meaning::external_id),
        member("property_reference_id", via(&full_view::terms, &unit::property_id), meaning::property_id),
        member("property_type", via(&full_view::house, &property::type), meaning::property_type),
        member("rent_by", via(&full_view::terms, &unit::kind), meaning::kind),
        part("location", via(&full_view::house, &property::address), location, meaning::address),
        member("available_from", &full_view::available_from, meaning::available_from),
        part("listing_pricing", itself, pricing, "What a stay costs"),
        part("stay", &full_view::terms, stay, meaning::stay),
        part("property_elements", itself, elements, "What the unit has"),
        values<std::string>("property_images", images_of_property, meaning::images_of_property,
                            format{"uri"}),
        values<std::string>("listing_images", images_of_unit, meaning::images_of_unit, format{"uri"}),
        member("property_description", via(&full_view::house, &property::description),
               meaning::description_of_property, localized),
        part("listing_description", &full_view::shown, listing_description, "Texts about the unit"),
        values<std::string>("property_features", via(&full_view::house, &property::features),
                            meaning::features_of_property),
        values<std::string>("listing_features", via(&full_view::shown, &unit_presentation::features),
                            meaning::features_of_unit),
        values<std::string>("property_rules", via(&full_view::house, &property::rules), meaning::rules),
        member("property_size", via(&full_view::house, &property::size_square_metres),
               meaning::size_of_property),
        member("floor", &full_view::floor, meaning::floor),
        list("blocked_periods", ending{blocks_of}, blocked_period,
             "Nights that are taken, from today on, without blocks that have no end"),
        member("registration_number", via(&full_view::shown, &unit_presentation::registration_number),
               meaning::registration_number),
        energy_class("energy_class"),
        member("landlord_email", &full_view::integration_email, meaning::landlord_email),
        member(
            "original_listing_url", [](const full_view& of) -> const auto& { return of.from.link_url; },
            "The unit's page on your platform, from the landlord's link; null: there is no link, or it is "
            "by ID only"),
        member("created_at", via(&full_view::terms, &unit::created_at), meaning::created_at),
        member("updated_at", &full_view::updated_at, meaning::updated_at))
        .example(R"({"reference_id":"771","property_reference_id":"33333333-0000-4000-8000-000000000001",
"property_type":"apartment","rent_by":"room","location":{"street":"Calle Mayor","number":"12","floor":"3",
"postal_code":"28013","city":"Madrid","region":"Comunidad de Madrid","neighborhood":"Sol","country_code":"ES",
"latitude":40.4168,"longitude":-3.7038},"available_from":"2026-12-01","listing_pricing":{"currency_code":"EUR",
"rent":683,"deposit":{"value":650},"admin_fee":{"value":150,"mode":"fixed","tiers":[]},
"bills":{"included":false,"max_value":null},"cleaning":{"charged":true,"monthly":true}},
"stay":{"min_months":1,"max_months":11},
"property_elements":{"label":"Room 1","capacity":1,"size":12,"parking":false},
"property_images":["https://images.example/kitchen.jpg"],"listing_images":["https://images.example/bed.jpg"],
"property_description":{"en":"A long kitchen table.","es":"Una mesa larga."},
"listing_description":{"title":{"en":"Room with a balcony"},"text":{"en":"Morning \"sun\"."}},
"property_features":["elevator","wifi"],"listing_features":["desk","wifi"],"property_rules":["no-smoking"],
"property_size":96,"floor":"3B","blocked_periods":[{"from":"2026-11-01","to":"2026-11-30"},
{"from":"2027-03-01","to":"2027-03-31"}],"registration_number":"VT-1234","energy_class":"B",
"landlord_email":"feeds@casaverde.example",
"original_listing_url":"https://marketplace-a.example/rooms/8812?staticId=771",
"created_at":"2026-01-10T08:00:00.000Z","updated_at":"2026-10-02T09:00:00.000Z"})");

} // namespace

void write(json::writer& json, const full_view& from) { json::write(json, listing, from); }

void add_schemas(json::schemas& to) { to.add(listing); }

} // namespace roost::listings::full::marketplace_a
