#include "http/partner/engine_bodies.hpp"
#include "json/object.hpp"

#include <stdexcept>

namespace roost::http {

namespace {

using json::list, json::member, json::part, json::only_where, json::via;

/// The names of due_item's values, in their order.
constexpr std::array<std::string_view, 5> due_item_names{"firstRent", "lastRent", "deposit", "adminFee",
                                                         "cleaningFee"};

struct created_record {
  const domain::property& property;
  std::string_view id; ///< the engine's
};

constexpr bool has_terms(const created_record& of) { return of.property.payment_terms.has_value(); }

/// Yields the names of the due items.
template <std::vector<domain::due_item> domain::payment_terms::*Items>
constexpr auto due_items = [](const created_record& of, auto yield) {
  for (const auto item : (*of.property.payment_terms).*Items)
    yield(due_item_names[static_cast<std::size_t>(item)]);
};

constexpr auto property_object =
    json::object<created_record>(
        "", member("id", &created_record::id, "Your ID, as you sent it"),
        member(
            "propertyId", [](const created_record& of) { return of.property.id; },
            "The property's UUID here"),
        member(
            "internalName", [](const created_record& of) -> const auto& { return of.property.internal_name; },
            "The landlord's name for it"),
        member(
            "address", [](const created_record& of) -> const auto& { return of.property.address.street; },
            "The address that it was created with"),
        member(
            "floor", [](const created_record& of) -> const auto& { return of.property.address.floor; },
            "Empty if you sent none"),
        member(
            "type", [](const created_record& of) { return of.property.type; },
            "A new property is an apartment"),
        member(
            "contractType", [](const created_record& of) -> const auto& { return of.property.contract_type; },
            "Traditional rental, unless the landlord changed it; null: that of the account"),
        member(
            "incompleteRentType", [](const created_record& of) { return of.property.part_month; },
            "What a partial month of a stay costs; biweekly is shown as fortnightly"),
        json::values<std::string_view>("dueAtConfirmation", due_items<&domain::payment_terms::confirmation>,
                                       "What the tenant pays to confirm a booking",
                                       json::one_of{due_item_names}, only_where{has_terms}),
        json::values<std::string_view>("dueAtMoveIn", due_items<&domain::payment_terms::check_in>,
                                       "What the tenant pays at check-in", json::one_of{due_item_names},
                                       only_where{has_terms}),
        member(
            "cleaningLadyPrice",
            [](const created_record& of) {
              const auto& fee = of.property.cleaning_fee;
              return fee.enabled ? fee.value : domain::money{};
            },
            "Cleaning fee a month, in the currency of the landlord's account; 0 when off"),
        member(
            "createdAt", [](const created_record& of) { return of.property.created_at; },
            "When the property's record was made, in UTC"),
        member(
            "updatedAt", [](const created_record& of) { return of.property.updated_at; },
            "When the property's record was last edited, in UTC"))
        .closed();

struct created_listing {
  const domain::created_unit& unit;
  std::string_view platform;

  const domain::unit& terms() const { return unit.terms; }
};

constexpr std::array<std::string_view, 2> created_kinds{"property", "room"};

constexpr auto listing_object = json::object<created_listing>(
    "",
    member(
        "externalId", [](const created_listing& of) -> const auto& { return of.unit.external_id; },
        "Your ID of the unit, under which it is linked: read and book it by this"),
    member("integrationPlatform", &created_listing::platform, "The platform of the link: yours"),
    member("listingId", via(&created_listing::terms, &domain::unit::id), "The unit's UUID here"),
    member("propertyId", via(&created_listing::terms, &domain::unit::property_id),
           "The UUID of its property here"),
    member("internalName", via(&created_listing::terms, &domain::unit::internal_name),
           "The landlord's name for the unit"),
    member("kind", via(&created_listing::terms, &domain::unit::kind), "property: the whole of it",
           json::one_of{created_kinds}),
    member("roomLabel", via(&created_listing::terms, &domain::unit::room_label),
           "Such as Room 3; empty for a whole property"),
    member("isRentFixed", via(&created_listing::terms, &domain::unit::rent, &domain::rent_terms::fixed),
           "Always true"),
    member("rent", via(&created_listing::terms, &domain::unit::rent, &domain::rent_terms::amount),
           "Rent a month in the currency of the landlord's account, without markup"),
    member("minStayPeriod", via(&created_listing::terms, &domain::unit::min_stay_months),
           "Shortest stay in months; null: no minimum"),
    member("maxStayPeriod", via(&created_listing::terms, &domain::unit::max_stay_months),
           "Longest stay in months; null: no maximum"),
    member("capacity", via(&created_listing::terms, &domain::unit::capacity), "Most occupants"),
    member("extraPricePerTenant", via(&created_listing::terms, &domain::unit::extra_price_per_tenant),
           "Price a month of each occupant after the first, in the landlord's currency"),
    member("billsIncluded",
           via(&created_listing::terms, &domain::unit::bills, &domain::bills_terms::included),
           "Whether utility bills are in the rent"),
    member("billsIncludedMaxValue",
           via(&created_listing::terms, &domain::unit::bills, &domain::bills_terms::max_value),
           "How much of the bills is included a month, in the landlord's currency; null: no cap"),
    member("adminFeeValue", via(&created_listing::terms, &domain::unit::admin_fee, &domain::admin_fee::value),
           "One fee for the stay in the landlord's currency; 0 when there is none"),
    member("depositValue", via(&created_listing::terms, domain::deposit_for_one),
           "Deposit for one occupant in the landlord's currency"),
    member("createdAt", via(&created_listing::terms, &domain::unit::created_at),
           "When the unit's record was made, in UTC"),
    member("updatedAt", via(&created_listing::terms, &domain::unit::updated_at),
           "When the unit's record was last edited, in UTC"));

struct creation {
  std::optional<created_record> property;
  const std::vector<domain::created_unit>& units;
  std::string_view platform;
};

constexpr auto listings_of = [](const creation& of, auto yield) {
  for (const auto& unit : of.units) yield({unit, of.platform});
};

constexpr auto creation_object =
    json::object<creation>("CreatedProperty",
                           part("property", &creation::property, property_object,
                                "The property's record; null: property creation is off for the account"),
                           list("listings", listings_of, listing_object,
                                "The units that were created, in the order of the rooms"))
        .example(R"({"property":{"id":"7300","propertyId":"01a1fb89-cc01-7000-af18-6ec80ff8e534",
"internalName":"Calle de la Luna 8","address":"Calle de la Luna 8, Madrid","floor":"3","type":"apartment",
"contractType":"Traditional rental","incompleteRentType":"daily","dueAtConfirmation":["firstRent"],
"dueAtMoveIn":["deposit"],"cleaningLadyPrice":45,"createdAt":"2026-11-21T09:30:00.000Z",
"updatedAt":"2026-11-21T09:30:00.000Z"},"listings":[{"externalId":"7300_7","integrationPlatform":"booking-engine",
"listingId":"01a1fb89-cc02-7000-af18-6ec80ff8e534","propertyId":"01a1fb89-cc01-7000-af18-6ec80ff8e534",
"internalName":"CL8 Room 1","kind":"room","roomLabel":"Room 1","isRentFixed":true,"rent":650,"minStayPeriod":1,
"maxStayPeriod":11,"capacity":2,"extraPricePerTenant":50,"billsIncluded":true,"billsIncludedMaxValue":60,
"adminFeeValue":150,"depositValue":650,"createdAt":"2026-11-21T09:30:00.000Z",
"updatedAt":"2026-11-21T09:30:00.000Z"}]})")
        .example(R"({"property":null,"listings":[]})");

/// A member that the specification reserves.
template <std::size_t Size>
constexpr auto reserved(const char (&name)[Size]) {
  return member(
      name, [](const domain::housemate&) { return nullptr; }, "Reserved: always null");
}

constexpr auto housemate_object =
    json::object<domain::housemate>(
        "Housemate",
        member(
            "name",
            [](const domain::housemate& of) {
              return of.last_name ? of.first_name + ' ' + *of.last_name : of.first_name;
            },
            "First and last name; the last one may be missing"),
        member("nationality", &domain::housemate::nationality, "Country, ISO 3166-1 alpha-2; null: unknown"),
        member("moveIn", &domain::housemate::move_in, "Check-in date of the booking, YYYY-MM-DD"),
        member("moveOut", &domain::housemate::move_out, "Check-out date of the booking, YYYY-MM-DD"),
        reserved("photo"), reserved("age"), reserved("occupation"), reserved("gender"))
        .example(R"({"name":"Ada Marsh","nationality":"GB","moveIn":"2027-02-01","moveOut":"2027-05-01",)"
                 R"("photo":null,"age":null,"occupation":null,"gender":null})");

} // namespace

std::string created_json(const domain::created_property& created, std::string_view id,
                         std::string_view platform) {
  return json::text_of(creation_object,
                       creation{created_record{*created.property, id}, created.units, platform});
}

std::string nothing_created_json() {
  const std::vector<domain::created_unit> none;
  return json::text_of(creation_object, creation{std::nullopt, none, {}});
}

std::string housemates_json(const std::vector<domain::housemate>& residents) {
  json::writer json;
  json.begin_array();
  for (const auto& resident : residents) json::write(json, housemate_object, resident);
  json.end_array();
  return std::string{json.text()};
}

void add_engine_schemas(json::schemas& to) {
  to.add(creation_object);
  to.add(housemate_object);
}

error to_error(domain::room_problem problem) {
  switch (problem) {
  case domain::room_problem::rent_not_fixed:
    return bad_request("Rent per month is required when rent is not fixed");
  case domain::room_problem::stay_limits_reversed:
    return bad_request(reversed_stay_limits);
  case domain::room_problem::id_taken:
    return bad_request("Listing with this externalId already exists");
  case domain::room_problem::name_taken:
    return bad_request("Listing with this internal name already exists");
  }
  throw std::logic_error("unknown value");
}

} // namespace roost::http
