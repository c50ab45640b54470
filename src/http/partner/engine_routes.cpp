#include "http/partner/engine_routes.hpp"

#include "actors/runtime/ask.hpp"
#include "http/partner/engine_answers.hpp"
#include "http/partner/listing_answers.hpp"
#include "http/partner/listing_update.hpp"
#include "http/partner/partner_access.hpp"
#include "http/partner/property_body.hpp"

#include <algorithm>

namespace roost::http {

namespace {

/// The unit as the desk knows it; 404 when nothing is linked under the ID.
actors::linked_unit find_linked(const partner_services& services, std::size_t platform,
                                const std::string& id) {
  const auto& on = (*services.platforms)[platform];
  const auto directory = require_directory(services);
  const auto* unit = directory->find(platform, id);
  if (!unit) throw listing_not_found(on, id);
  const auto link = std::ranges::find(unit->setup->links, platform, &actors::platform_link::platform);
  return {unit->id, on.name, link->external_id};
}

asio::awaitable<response> update_listing(const partner_services& services, std::size_t platform,
                                         request& request) {
  const auto update = parse_listing_update(request.body);
  actors::edit_listing message{find_linked(services, platform, update.external_id), update.edit,
                               actors::answer_deadline()};
  actors::listing_edited answer;
  try {
    answer = co_await actors::ask(services.engine_desk, std::move(message));
  } catch (const actors::ask_error&) {
    throw busy(); // a repeat writes the same terms again
  }
  if (!answer.found) throw listing_not_found((*services.platforms)[platform], update.external_id);
  co_return empty(200);
}

asio::awaitable<response> create_property(const partner_services& services, std::size_t platform,
                                          request& request) {
  const auto& on = (*services.platforms)[platform];
  auto wanted = parse_property_request(request.body);
  const auto id = wanted.id;
  const auto directory = require_directory(services);
  const auto* owner = directory->find_account(std::any_cast<domain::uuid>(request.context));
  if (!owner) throw unauthorized("Unauthorized");
  if (!owner->settings->property_creation) co_return json(201, nothing_created_json());
  actors::create_property message{on.name, owner->settings, owner->contacts, std::move(wanted),
                                  actors::answer_deadline()};
  actors::property_created answer;
  try {
    answer = co_await actors::ask(services.engine_desk, std::move(message));
  } catch (const actors::ask_error&) {
    throw busy(); // perhaps created: the partner reads its listings before it tries again
  }
  if (answer.outcome.linked_already) throw bad_request("Listing with this externalId already exists");
  if (answer.outcome.refused) throw to_error(answer.outcome.refused->why);
  co_return json(201, created_json(answer.outcome, id, on.name));
}

asio::awaitable<response> read_housemates(const partner_services& services, std::size_t platform,
                                          request& request) {
  const auto& id = request.parameters.front();
  actors::read_housemates message{find_linked(services, platform, id), actors::answer_deadline()};
  actors::housemates_answer answer;
  try {
    answer = co_await actors::ask(services.engine_desk, std::move(message));
  } catch (const actors::ask_error&) {
    throw busy();
  }
  if (!answer.residents) throw listing_not_found((*services.platforms)[platform], id);
  co_return json(200, housemates_json(*answer.residents));
}

const operation update_operation{.id = "updateListing",
                                 .summary = "Writes a unit's rent and stay limits",
                                 .body_schema = "ListingUpdate",
                                 .answers = {{200, "Saved, and reads show it", {}},
                                             {413, "The body is larger than 1 MiB", "Error"},
                                             {415, "The body is not sent as application/json", "Error"}}};
const operation creation_operation{.id = "createProperty",
                                   .summary = "Creates a property with its units in the account of the key",
                                   .body_schema = "PropertyCreation",
                                   .answers = {{201, "The created records", "CreatedProperty"},
                                               {413, "The body is larger than 1 MiB", "Error"},
                                               {415, "The body is not sent as application/json", "Error"}},
                                   .headers = {{"svc-api-key", "The landlord's account key"}}};
const operation housemates_operation{
    .id = "listHousemates",
    .summary = "Who lives in the unit's property now",
    .answers = {{200, "The residents, by their move-in", "Housemate", true}}};

} // namespace

std::vector<route> engine_routes(const partner_services& services, std::size_t platform) {
  if ((*services.platforms)[platform].kind != domain::platform_kind::booking_engine) return {};
  const auto checks = partner_checks(services, platform);
  route update{"PUT", "/listing", {}, body_policy::json, checks};
  update.handle = [&services, platform](request& request) {
    return update_listing(services, platform, request);
  };
  update.documented = &update_operation;
  route creation{"POST", "/property-listing", {}, body_policy::json, checks};
  creation.checks.push_back(account_key_check(services));
  creation.handle = [&services, platform](request& request) {
    return create_property(services, platform, request);
  };
  creation.documented = &creation_operation;
  route housemates{"GET", "/listings/{externalId}/housemates", {}, body_policy::none, checks};
  housemates.handle = [&services, platform](request& request) {
    return read_housemates(services, platform, request);
  };
  housemates.documented = &housemates_operation;
  return {std::move(update), std::move(creation), std::move(housemates)};
}

} // namespace roost::http
