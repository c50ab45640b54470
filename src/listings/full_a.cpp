#include "listings/costs.hpp"
#include "listings/full_parts.hpp"

namespace roost::listings::full {

/// Marketplace A's full format: snake_case, amounts in whole units of the currency, nights inclusive.
namespace marketplace_a {
namespace {

constexpr auto location = address_object("postal_code", "country_code");

constexpr auto deposit = object<full_view>(
    "", member("value", via(terms, deposit_for_one),
               "Deposit for one occupant in the currency of currency_code, without markup"));

constexpr auto tier = object<admin_fee_tier>(
    "",
    member("from_days", &admin_fee_tier::from_days,
           "The shortest stay of this tier, in days from check-in to check-out"),
    member("value", &admin_fee_tier::value, "The fee in the currency of currency_code, not rounded"));

constexpr auto admin_fee = object<full_view>(
    "",
    member("value", via(terms, headline_admin_fee),
           "One fee for the stay in the currency of currency_code, rounded up to a whole number. A tiered "
           "fee shows its highest tier; 0 when it is off"),
    member("mode", via(terms, shown_fee_mode), "fixed: value, also when there is no fee; tiered: tiers"),
    list("tiers", via(terms, shown_tiers), tier,
         "Ascending by from_days. The last tier that a stay reaches is its fee. Empty unless tiered"));

constexpr auto bills = object<full_view>(
    "", member("included", via(terms, &unit::bills, &bills_terms::included), "Whether they are in the rent"),
    member("max_value", via(terms, included_bills),
           "How much of them is included a month, in the currency of currency_code; 0 is a real zero; null: "
           "no cap is published, or they are not included"));

/// Flags only: this format does not publish the amount.
constexpr auto cleaning = object<cleaning_fee>(
    "", member("charged", &cleaning_fee::enabled, "Whether there is a fee"),
    member(
        "monthly", [](const cleaning_fee& fee) { return fee.enabled && fee.frequency == "monthly"; },
        "true: each month; false: once, or never"));

constexpr auto pricing = object<full_view>(
    "", member("currency_code", shared::currency),
    member("rent", &full_view::headline,
           "Rent a month in the currency of currency_code, with markup, rounded up to a whole number. If it "
           "varies, that of the highest month"),
    part("deposit", itself, deposit, "Due in addition to the rent"),
    part("admin_fee", itself, admin_fee, "Without markup"),
    part("bills", itself, bills, "Whether, and up to which amount, utility bills are in the rent"),
    part("cleaning", via(house, &property::cleaning_fee), cleaning,
         "Whether cleaning is charged. The amount is not published"));

constexpr auto elements =
    object<full_view>("", member("label", shared::label), member("capacity", shared::capacity),
                      member("size", shared::size_of_unit),
                      member(
                          "parking", [](const full_view& view) { return view.house().parking.has_value(); },
                          "Whether the landlord set a price for parking"));

constexpr auto listing_description =
    object<full_view>("", member("title", shared::title), member("text", shared::description_of_unit));

constexpr auto blocked_period =
    object<taken_nights>("", member("from", shared::first_night),
                         member(
                             "to", [](const taken_nights& taken) { return *taken.last; },
                             "Last blocked night, YYYY-MM-DD, inclusive"));

constexpr auto listing =
    object<full_view>(
        "MarketplaceAFullListing", member("reference_id", shared::external_id),
        member("property_reference_id", shared::property_id), member("property_type", shared::property_type),
        member("rent_by", shared::kind),
        part("location", via(house, &property::address), location, "The property's address"),
        member("available_from", shared::available_from),
        part("listing_pricing", itself, pricing, "What a stay costs"),
        part("stay", terms, stay_limits_object, "Limits of a stay"),
        part("property_elements", itself, elements, "What the unit has"),
        texts("property_images", shared::images_of_property), texts("listing_images", shared::images_of_unit),
        member("property_description", shared::description_of_property),
        part("listing_description", itself, listing_description, "Texts about the unit"),
        texts("property_features", shared::features_of_property),
        texts("listing_features", shared::features_of_unit), texts("property_rules", shared::rules),
        member("property_size", shared::size_of_property), member("floor", shared::floor),
        list("blocked_periods", ending(blocks_of), blocked_period,
             "Nights that are taken, from today on, without blocks that have no end"),
        member("registration_number", shared::registration_number),
        member("energy_class", shared::energy_class), member("landlord_email", shared::landlord_email),
        member(
            "original_listing_url", [](const full_view& view) -> const auto& { return view.from.link_url; },
            "The unit's page on your platform, from the landlord's link; null: there is no link, or it is by "
            "ID only"),
        member("created_at", shared::created_at), member("updated_at", shared::updated_at))
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
} // namespace marketplace_a

const full_format format_a = format_of<marketplace_a::listing>();

} // namespace roost::listings::full
