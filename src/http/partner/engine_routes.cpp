#include "actors/runtime/ask.hpp"
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"
#include "json/object.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace roost::http {

namespace {

using domain::bills_terms, domain::payment_terms, domain::property, domain::rent_terms, domain::unit;
using json::included, json::list, json::member, json::only_where, json::part, json::via;

/// The names of due_item's values, in their order.
constexpr std::array<std::string_view, 5> due_item_names{"firstRent", "lastRent", "deposit", "adminFee",
                                                         "cleaningFee"};

constexpr bool has_terms(const property& property) { return property.payment_terms.has_value(); }

/// Describes the names of due items.
template <std::size_t Size>
constexpr auto due_items(const char (&name)[Size], std::vector<domain::due_item> payment_terms::*items,
                         std::string_view meaning) {
  const auto names_of = [items](const property& property, auto yield) {
    for (const auto item : (*property.payment_terms).*items)
      yield(due_item_names[static_cast<std::size_t>(item)]);
  };
  return json::values<std::string_view>(name, names_of, meaning, json::one_of{due_item_names},
                                        only_where{has_terms});
}

constexpr auto property_members = json::object<property>(
    "", member("propertyId", &property::id, "The property's UUID here"),
    member("internalName", &property::internal_name, "The landlord's name for it"),
    member("address", via(&property::address, &domain::address::street),
           "The address that it was created with"),
    member("floor", via(&property::address, &domain::address::floor), "Empty if you sent none"),
    member("type", &property::type, "A new property is an apartment"),
    member("contractType", &property::contract_type,
           "Traditional rental, unless the landlord changed it; null: that of the account"),
    member("incompleteRentType", &property::part_month,
           "What a partial month of a stay costs; biweekly is shown as fortnightly"),
    due_items("dueAtConfirmation", &payment_terms::confirmation, "What the tenant pays to confirm a booking"),
    due_items("dueAtMoveIn", &payment_terms::check_in, "What the tenant pays at check-in"),
    member("cleaningLadyPrice", via(&property::cleaning_fee, &domain::cleaning_fee::charged),
           "Cleaning fee a month, in the currency of the landlord's account; 0 when off"),
    member("createdAt", &property::created_at, "When the property's record was made, in UTC"),
    member("updatedAt", &property::updated_at, "When the property's record was last edited, in UTC"));

struct created_record {
  const property& record;
  std::string_view id; ///< the engine's
};

constexpr auto property_object =
    json::object<created_record>(
        "", member("id", &created_record::id, "Your ID, as you sent it"),
        included(
            [](const created_record& created) -> const auto& { return created.record; }, property_members))
        .closed();

constexpr std::array<std::string_view, 2> created_kinds{"property", "room"};

constexpr auto unit_members = json::object<unit>(
    "", member("listingId", &unit::id, "The unit's UUID here"),
    member("propertyId", &unit::property_id, "The UUID of its property here"),
    member("internalName", &unit::internal_name, "The landlord's name for the unit"),
    member("kind", &unit::kind, "property: the whole of it", json::one_of{created_kinds}),
    member("roomLabel", &unit::room_label, "Such as Room 3; empty for a whole property"),
    member("isRentFixed", via(&unit::rent, &rent_terms::fixed), "Always true"),
    member("rent", via(&unit::rent, &rent_terms::amount),
           "Rent a month in the currency of the landlord's account, without markup"),
    member("minStayPeriod", &unit::min_stay_months, "Shortest stay in months; null: no minimum"),
    member("maxStayPeriod", &unit::max_stay_months, "Longest stay in months; null: no maximum"),
    member("capacity", &unit::capacity, "Most occupants"),
    member("extraPricePerTenant", &unit::extra_price_per_tenant,
           "Price a month of each occupant after the first, in the landlord's currency"),
    member("billsIncluded", via(&unit::bills, &bills_terms::included),
           "Whether utility bills are in the rent"),
    member("billsIncludedMaxValue", via(&unit::bills, &bills_terms::max_value),
           "How much of the bills is included a month, in the landlord's currency; null: no cap"),
    member("adminFeeValue", via(&unit::admin_fee, &domain::admin_fee::value),
           "One fee for the stay in the landlord's currency; 0 when there is none"),
    member("depositValue", domain::deposit_for_one, "Deposit for one occupant in the landlord's currency"),
    member("createdAt", &unit::created_at, "When the unit's record was made, in UTC"),
    member("updatedAt", &unit::updated_at, "When the unit's record was last edited, in UTC"));

struct created_listing {
  const domain::created_unit& created;
  std::string_view platform;
};

constexpr auto listing_object = json::object<created_listing>(
    "",
    member(
        "externalId",
        [](const created_listing& listing) -> const auto& { return listing.created.external_id; },
        "Your ID of the unit, under which it is linked: read and book it by this"),
    member("integrationPlatform", &created_listing::platform, "The platform of the link: yours"),
    included(
        [](const created_listing& listing) -> const auto& { return listing.created.terms; }, unit_members));

struct creation {
  std::optional<created_record> property;
  const std::vector<domain::created_unit>& units;
  std::string_view platform;
};

constexpr auto listings_of = [](const creation& creation, auto yield) {
  for (const auto& unit : creation.units) yield({unit, creation.platform});
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
            [](const domain::housemate& person) {
              return person.last_name ? person.first_name + ' ' + *person.last_name : person.first_name;
            },
            "First and last name; the last one may be missing"),
        member("nationality", &domain::housemate::nationality, "Country, ISO 3166-1 alpha-2; null: unknown"),
        member("moveIn", &domain::housemate::move_in, "Check-in date of the booking, YYYY-MM-DD"),
        member("moveOut", &domain::housemate::move_out, "Check-out date of the booking, YYYY-MM-DD"),
        reserved("photo"), reserved("age"), reserved("occupation"), reserved("gender"))
        .example(R"({"name":"Ada Marsh","nationality":"GB","moveIn":"2027-02-01","moveOut":"2027-05-01",)"
                 R"("photo":null,"age":null,"occupation":null,"gender":null})");

/// Returns the records of a property, by the engine's `id`, and its units (Partner API, Property creation).
std::string created_json(const domain::created_property& created, std::string_view id,
                         std::string_view platform) {
  std::optional<created_record> property;
  if (created.property) property.emplace(created_record{*created.property, id});
  return json::text_of(creation_object, creation{property, created.units, platform});
}

std::string housemates_json(const std::vector<domain::housemate>& residents) {
  json::writer json;
  json.begin_array();
  for (const auto& resident : residents) json::write(json, housemate_object, resident);
  json.end_array();
  return std::string{json.text()};
}

/// Returns the error for a room that was not created (Partner API, Errors: property creation).
error to_error(domain::room_problem problem) {
  // In the order of room_problem.
  constexpr std::array<const char*, 4> messages{
      "Rent per month is required when rent is not fixed", reversed_stay_limits,
      "Listing with this externalId already exists", "Listing with this internal name already exists"};
  return bad_request(messages[static_cast<std::size_t>(problem)]);
}

/// Returns the linked unit for the engine's actor. Throws not_found if no unit is linked under the ID.
actors::linked_unit find_linked(const platform_api& api, const std::string& id) {
  const auto directory = api.directory();
  const auto* unit = directory->find(api.index, id);
  if (!unit) throw listing_not_found(api.platform, id);
  const auto link = std::ranges::find(unit->setup->links, api.index, &actors::platform_link::platform);
  return {unit->id(), api.platform.name, link->external_id, id};
}

/// If the actor does not respond, the terms may have been written; a retry writes the same terms again.
asio::awaitable<response> update_listing(const platform_api& api, request& req) {
  const auto update = parse_listing_update(req.body);
  actors::edit_listing message{find_linked(api, update.external_id), update.edit, actors::response_deadline(),
                               caller_of(api.services, api.platform, req)};
  const auto result = co_await actors::ask(api.services.booking_engine, std::move(message));
  if (!result.found) throw listing_not_found(api.platform, update.external_id);
  co_return empty(200);
}

/// Without a response, the property may have been created: the partner reads its listings before a retry.
asio::awaitable<response> create_property(const platform_api& api, request& req) {
  auto property = parse_property_request(req.body);
  const auto id = property.id;
  const auto directory = api.directory();
  const auto* owner = directory->find_account(account_of(req));
  if (!owner) throw unauthorized("Unauthorized");
  if (!owner->settings->property_creation) {
    const domain::created_property nothing;
    co_return json(201, created_json(nothing, id, api.platform.name));
  }
  actors::create_property message{api.platform.name,
                                  owner->settings,
                                  owner->contacts,
                                  std::move(property),
                                  actors::response_deadline(),
                                  caller_of(api.services, api.platform, req)};
  const auto result = co_await actors::ask(api.services.booking_engine, std::move(message));
  if (result.outcome.refused) throw to_error(result.outcome.refused->reason);
  co_return json(201, created_json(result.outcome, id, api.platform.name));
}

asio::awaitable<response> read_housemates(const platform_api& api, request& req) {
  const auto& id = req.parameters.front();
  auto unit = find_linked(api, id);
  const auto residents = co_await actors::read_housemates(api.services.reads, std::move(unit));
  if (!residents) throw listing_not_found(api.platform, id);
  co_return json(200, housemates_json(*residents));
}

const operation update_operation{
    .id = "updateListing",
    .summary = "Writes a unit's rent and stay limits",
    .body_schema = "ListingUpdate",
    .responses = {{200, "Saved and visible in reads", {}},
                  refusal(400, bad_field, "externalId must be a string, isRentFixed must be a boolean value"),
                  unknown_id,
                  body_too_large,
                  body_not_json}};
const operation creation_operation{
    .id = "createProperty",
    .summary = "Creates a property with its units in the account of the key",
    .body_schema = "PropertyCreation",
    .responses = {{201, "The created records", "CreatedProperty"},
                  refusal(400, bad_field, "id must be a string, address must be a string"),
                  body_too_large,
                  body_not_json},
    .headers = {{"svc-api-key", "The landlord's account key"}}};
const operation housemates_operation{
    .id = "listHousemates",
    .summary = "Lists the current residents of the unit's property",
    .responses = {{200, "The residents, ordered by move-in date", "Housemate", true}, unknown_id}};

} // namespace

void add_engine_response_schemas(json::schemas& to) {
  to.add(creation_object);
  to.add(housemate_object);
}

std::vector<route> engine_routes(const platform_api& api) {
  if (!api.traits().writes_listings) return {};
  return {
      {"PUT", "/listing", body_policy::json, api.checks(), with(api, update_listing), &update_operation},
      {"POST", "/property-listing", body_policy::json,
       api.checks_and(account_key_check(api.services), "an account key"), with(api, create_property),
       &creation_operation},
      {"GET", "/listings/{externalId}/housemates", body_policy::none, api.checks(),
       with(api, read_housemates), &housemates_operation},
  };
}

} // namespace roost::http
