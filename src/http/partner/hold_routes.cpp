#include "actors/runtime/ask.hpp"
#include "domain/calendar.hpp"
#include "domain/unit.hpp"
#include "http/json/body.hpp"
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/partner/refusal_object.hpp"
#include "http/protocol/entity_tags.hpp"
#include "json/object.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

/// Holds of nights by platforms that may hold them: for guests who are about to book.
namespace roost::http {

namespace {

using store::hold, store::hold_receipt, store::release_outcome;
namespace kind = http::kind;

constexpr int max_minutes = 30;

// Bodies

constexpr auto hold_body =
    json::object<hold>(
        "Hold",
        field("externalId", kind::line{domain::max_external_id_length, kind::filled::not_empty},
              &hold::external_id, "Your ID of the unit, as in a booking"),
        field("checkInDate", kind::day{}, &hold::check_in, "The first night, YYYY-MM-DD"),
        field("checkOutDate", kind::day{}, &hold::check_out, "Check-out day, YYYY-MM-DD, after checkInDate"),
        field("minutes", kind::whole{1, max_minutes}, &hold::minutes,
              "How long the nights are held, unless you book or release them before"))
        .closed()
        .example(
            R"({"externalId":"771","checkInDate":"2027-02-01","checkOutDate":"2027-04-01","minutes":15})");

constexpr auto hold_receipt_object =
    json::object<hold>("HoldReceipt", json::member("holdId", &hold::id, "Your ID of the hold"),
                       json::member("externalId", &hold::external_id, "Your ID of the unit, as sent"),
                       json::member("checkInDate", &hold::check_in, "The first night"),
                       json::member("checkOutDate", &hold::check_out, "The check-out day"),
                       json::member("expiresAt", &hold::expires_at,
                                    "When the hold ends at the latest, unless you book by then, in UTC"))
        .example(R"({"holdId":"3f0c9e55-7f0b-4a3e-9a55-0a3b6f6a7d11","externalId":"771",
"checkInDate":"2027-02-01","checkOutDate":"2027-04-01","expiresAt":"2026-11-20T09:45:00.000Z"})");

// Routes

/// Returns the stored form of the hold's ID.
std::string require_hold_id(std::string_view in_path) {
  if (!domain::is_rfc_uuid(in_path)) throw bad_request("holdId must be a UUID");
  return domain::normalized_reference(in_path);
}

/// Throws bad_request.
hold read_hold(const platform_api& api, request& req) {
  auto sent = read_body(req.body, hold_body);
  if (const auto* problem = problem_of_stay(sent.check_in, sent.check_out)) throw bad_request(problem);
  sent.id = require_hold_id(req.parameters.front());
  sent.platform = api.platform.name;
  sent.block_id = api.services.new_id();
  sent.created_at = api.services.now();
  sent.expires_at = sent.created_at + std::chrono::minutes{sent.minutes};
  return sent;
}

error different_hold() { return conflict("A different hold was already placed with this holdId"); }

response receipt_response(unsigned status, hold sent, domain::timestamp expires_at) {
  sent.expires_at = expires_at;
  return json(status, json::text_of(hold_receipt_object, sent));
}

error nights_are_taken(const std::vector<domain::nights>& taken) {
  auto refusal = conflict("Some nights of the stay are taken");
  refusal.with("takenNights", json_value{taken_nights_json(taken)});
  return refusal;
}

response placed_response(const platform_api& api, const hold& sent, const hold_receipt& receipt) {
  switch (receipt.result) {
  case hold_receipt::kind::created:
    return receipt_response(201, sent, receipt.expires_at);
  case hold_receipt::kind::repeated:
    return receipt_response(200, sent, receipt.expires_at);
  case hold_receipt::kind::different:
    throw different_hold();
  case hold_receipt::kind::taken:
    throw nights_are_taken(receipt.taken);
  case hold_receipt::kind::forbidden:
    throw conflict("The landlord does not allow holds by your platform");
  case hold_receipt::kind::too_many:
    throw conflict("Your platform has " + std::to_string(store::max_holds) +
                   " holds with this landlord: release one, or wait until one expires");
  case hold_receipt::kind::no_unit:
    break;
  }
  throw listing_not_found(api.platform, sent.external_id);
}

/// Throws not_found unless the platform can book the unit now.
asio::awaitable<void> require_bookable(const platform_api& api, const actors::directory_unit& unit,
                                       const std::string& external_id) {
  actors::read_publication message{api.index};
  const auto state = co_await ask_calendar<actors::publication_response>(unit, std::move(message));
  if (!state) throw listing_not_found(api.platform, external_id);
  require_published(state->publication, api.platform, external_id);
}

/// A repeat is recognized before anything else, so that it stays valid. While its hold lasts, it waits until
/// reads show it, like the first request. Without a response of the actor, the hold may be placed: the
/// partner repeats the request.
asio::awaitable<response> put_hold(const platform_api& api, request& req) {
  auto sent = read_hold(api, req);
  const auto condition = if_match_of(req);
  const auto stored = co_await actors::find_hold(api.services.reads, sent.platform, sent.id);
  if (const auto& known = stored.hold) {
    if (!store::request_the_same(known->hold, sent)) throw different_hold();
    if (!known->ended_at) co_await await_shown(api, stored.point);
    co_return receipt_response(200, std::move(sent), known->hold.expires_at);
  }
  const auto directory = api.directory();
  const auto* unit = directory->find_on(api.index, sent.external_id);
  if (!unit) throw listing_not_found(api.platform, sent.external_id);
  co_await require_bookable(api, *unit, sent.external_id);
  if (condition.is_present) co_await require_unchanged(api, condition, sent.external_id);
  sent.unit_id = unit->id();
  sent.last_night =
      domain::booked_nights(sent.check_in, sent.check_out, unit->setup->terms.preparation_days).last;
  actors::place_hold message{{unit->owner->id}, sent, actors::response_deadline()};
  const auto receipt = co_await actors::ask(api.services.holds, std::move(message));
  co_return placed_response(api, sent, receipt);
}

/// Releasing a hold that has ended is a no-op.
asio::awaitable<response> release_hold(const platform_api& api, request& req) {
  const auto id = domain::normalized_reference(req.parameters.front());
  actors::release_hold message{{}, {api.platform.name, id, api.services.now()}, actors::response_deadline()};
  const auto outcome = co_await actors::ask(api.services.holds, std::move(message));
  if (outcome.result == release_outcome::kind::unknown) throw not_found("Hold not found with holdId " + id);
  if (outcome.result == release_outcome::kind::claimed)
    throw conflict("A booking that is not decided yet has taken over the hold");
  co_return empty(204);
}

operation put_hold_operation(std::vector<documented_response> refusals) {
  operation put{
      .id = "putHold",
      .summary = "Holds nights for a guest who is about to book; a repeat returns the same receipt",
      .tag = extension_tag,
      .body_schema = "Hold",
      .responses = {{201, "The nights are taken, and on disk", "HoldReceipt"},
                    {200, "The same hold was placed before; it may have ended", "HoldReceipt"},
                    refusal(400, "A field is missing, unknown or invalid, or holdId is not a UUID",
                            "minutes must not be greater than 30"),
                    {409,
                     "Nights of the stay are taken: `takenNights` names them",
                     "NightsTaken",
                     false,
                     {},
                     "Some nights of the stay are taken"},
                    refusal(409, "The holdId was used with another body",
                            "A different hold was already placed with this holdId"),
                    refusal(409, "The landlord does not allow holds, or you have 50 with this landlord",
                            "The landlord does not allow holds by your platform"),
                    refusal(412, "If-Match does not name the current ETag of the listing",
                            "The listing has changed since it was read"),
                    body_too_large,
                    body_not_json},
      .headers = {{"If-Match",
                   "The ETag of the listing that you have read: if it has changed, nothing is held", false}}};
  put.responses.insert(put.responses.end(), refusals.begin(), refusals.end());
  return put;
}

const operation release_hold_operation{
    .id = "releaseHold",
    .summary = "Releases a hold: its nights are free immediately",
    .tag = extension_tag,
    .responses = {{204, "The hold has ended, now or before"},
                  refusal(404, "Your platform has placed no hold with this holdId",
                          "Hold not found with holdId unknown"),
                  refusal(409, "A booking that is not decided yet has taken over the hold: cancel it instead",
                          "A booking that is not decided yet has taken over the hold")}};

} // namespace

asio::awaitable<void> await_shown(const platform_api& api, const store::stream_point& point) {
  actors::show_change message{point, nullptr};
  co_await actors::ask(api.services.holds, std::move(message));
}

void add_hold_schemas(json::schemas& to) {
  to.add(hold_body);
  to.add(hold_receipt_object);
  json::schema refused{{.type = "object"}};
  refused.bases = {"Error"};
  refused.members = {taken_nights_schema()};
  to.add("NightsTaken", refused);
}

std::vector<route> hold_routes(const platform_api& api) {
  if (!api.platform.has(domain::platform_right::hold)) return {};
  return {{"PUT", "/holds/{holdId}", body_policy::json, api.checks(), with(api, put_hold),
           &live_operation_of<put_hold_operation>(api.traits())},
          {"DELETE", "/holds/{holdId}", body_policy::none, api.checks(), with(api, release_hold),
           &release_hold_operation}};
}

} // namespace roost::http
