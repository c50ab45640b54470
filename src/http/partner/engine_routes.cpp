#include "actors/runtime/ask.hpp"
#include "http/partner/partner_access.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/partner/partner_document.hpp"
#include "http/partner/partner_routes.hpp"

#include <algorithm>

namespace roost::http {

namespace {

/// Returns the linked unit for the engine's actor. Throws not_found if no unit is linked under the ID.
actors::linked_unit find_linked(const platform_api& api, const std::string& id) {
  const auto directory = api.directory();
  const auto* unit = directory->find(api.index, id);
  if (!unit) throw listing_not_found(api.platform, id);
  const auto link = std::ranges::find(unit->setup->links, api.index, &actors::platform_link::platform);
  return {unit->id, api.platform.name, link->external_id};
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
  if (result.outcome.refused) throw to_error(result.outcome.refused->why);
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
