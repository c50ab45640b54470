#include "actors/runtime/ask.hpp"
#include "http/json/body.hpp"
#include "http/json/query_reader.hpp"
#include "http/partner/outcome_wait.hpp"
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/partner/refusal_object.hpp"
#include "http/protocol/text_encoding.hpp"
#include "json/object.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

/// Changes of stays by platforms that may change bookings. Like booking requests, they are acknowledged when
/// they are on disk, and decided in the order of arrival.
namespace roost::http {

namespace {

using store::stay_change, store::stay_change_record, store::stay_change_receipt;
namespace kind = http::kind;

// Bodies

constexpr auto change_body =
    json::object<stay_change>(
        "BookingChange",
        field("checkInDate", kind::day{}, &stay_change::check_in, "The first night, YYYY-MM-DD"),
        field("checkOutDate", kind::day{}, &stay_change::check_out,
              "Check-out day, YYYY-MM-DD, after checkInDate; that is checked in the background"),
        field(
            "numberOfExtraTenants", kind::count{0},
            [](stay_change& to, std::optional<int> sent) {
              if (sent) to.occupants = std::max(1, *sent);
            },
            "Despite its name, the number of all occupants; 0 or 1: one person, missing: as booked",
            json::optional),
        field("platformProviderPaymentValue", kind::amount{}, &stay_change::provider_payment,
              "What you pay to the landlord for the changed stay, in the currency of the landlord's account; "
              "missing: as booked. 0 is refused in the background",
              json::optional))
        .closed()
        .example(R"({"checkInDate":"2027-02-01","checkOutDate":"2027-06-01"})");

constexpr auto change_receipt =
    json::object<stay_change>(
        "BookingChangeReceipt", json::member("bookingId", &stay_change::reference, "Your ID of the booking"),
        json::member("changeId", &stay_change::id, "Your ID of the change"),
        json::member("receivedAt", &stay_change::received_at, "When it was first submitted, in UTC"))
        .example(R"({"bookingId":"7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a",
"changeId":"1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9","receivedAt":"2026-11-20T09:30:00.000Z"})");

std::optional<outcome_refusal> shown_change_refusal(const stay_change_record& record) {
  if (!record.refusal) return std::nullopt;
  return outcome_refusal{*record.refusal, &record.taken_nights};
}

constexpr auto change_outcome =
    json::object<stay_change_record>(
        "BookingChangeOutcome",
        json::member(
            "bookingId",
            [](const stay_change_record& from) { return json::plain_text{from.change.reference}; },
            "Your ID of the booking"),
        json::member(
            "changeId", [](const stay_change_record& from) { return json::plain_text{from.change.id}; },
            "Your ID of the change"),
        json::member(
            "checkInDate", [](const stay_change_record& from) { return from.change.check_in; },
            "The first night, as requested"),
        json::member(
            "checkOutDate", [](const stay_change_record& from) { return from.change.check_out; },
            "The check-out day, as requested"),
        json::member(
            "numberOfExtraTenants", [](const stay_change_record& from) { return from.change.occupants; },
            "All occupants, as requested; null: as booked"),
        json::member(
            "platformProviderPaymentValue",
            [](const stay_change_record& from) { return from.change.provider_payment; },
            "As requested, in the currency of the landlord's account; null: as booked"),
        json::member("status", &stay_change_record::state,
                     "The booking shows the dates of an applied change"),
        json::member(
            "receivedAt", [](const stay_change_record& from) { return from.change.received_at; },
            "When it was first submitted, in UTC"),
        json::member("decidedAt", &stay_change_record::decided_at, "Null: not decided yet"),
        json::part("refusal", shown_change_refusal, refusal_object_of<change_refusal_names>,
                   "Null unless the status is `refused`"))
        .example(R"({"bookingId":"7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a",
"changeId":"1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9","checkInDate":"2027-02-01","checkOutDate":"2027-06-01",
"numberOfExtraTenants":null,"platformProviderPaymentValue":null,"status":"applied",
"receivedAt":"2026-11-20T09:30:00.000Z","decidedAt":"2026-11-20T09:30:21.000Z","refusal":null})");

// Routes

/// Returns the stored form of the change's ID.
std::string require_change_id(std::string_view in_path) {
  if (!domain::is_rfc_uuid(in_path)) throw bad_request("changeId must be a UUID");
  return domain::normalized_reference(in_path);
}

/// Returns the message of a 409; null if the change is stored.
const char* conflict_of(stay_change_receipt::kind result) {
  switch (result) {
  case stay_change_receipt::kind::different:
    return "A different change was already submitted with this changeId";
  case stay_change_receipt::kind::booking_refused:
    return "The booking is refused";
  case stay_change_receipt::kind::booking_cancelled:
    return "The booking is cancelled";
  case stay_change_receipt::kind::stay_over:
    return "The stay is over";
  default:
    return nullptr;
  }
}

response receipt_response(const platform_api& api, const stay_change& stored, bool is_new) {
  auto result = json(is_new ? 201 : 200, json::text_of(change_receipt, stored));
  if (is_new)
    result.fields.emplace_back("Location", api.services.base_url + '/' + api.platform.prefix + "/bookings/" +
                                               percent_encoded(stored.reference) + "/changes/" + stored.id);
  return result;
}

/// Without a response of the store, the change may be stored: the partner repeats it.
asio::awaitable<response> put_change(const platform_api& api, request& req) {
  auto change = read_body(req.body, change_body);
  change.id = require_change_id(req.parameters.back());
  change.platform = api.platform.name;
  change.requested_by = caller_of(api.services, api.platform, req);
  change.received_at = api.services.now();
  const auto reference = domain::normalized_reference(req.parameters.front());
  for (const auto& spelling : stored_spellings(api, reference)) {
    change.reference = spelling;
    auto sent = change;
    const auto stored = co_await actors::put_stay_change(api.services.decisions, std::move(sent),
                                                         domain::day_of(change.received_at));
    if (stored.result == stay_change_receipt::kind::not_submitted) continue;
    if (const auto* reason = conflict_of(stored.result)) throw conflict(reason);
    change.received_at = stored.received_at;
    co_return receipt_response(api, change, stored.result == stay_change_receipt::kind::created);
  }
  throw booking_not_found(api.platform, reference);
}

error change_not_found(const std::string& id) { return not_found("Change not found with changeId " + id); }

asio::awaitable<actors::positioned_stay_change>
find_change(const platform_api& api, const std::string& reference, const std::string& id) {
  for (const auto& spelling : stored_spellings(api, reference)) {
    auto found = co_await actors::find_stay_change(api.services.reads, api.platform.name, spelling, id);
    if (found.change) co_return found;
  }
  throw change_not_found(id);
}

/// A refusal does not change the booking's outcome, so the wait is divided into short ones.
asio::awaitable<response> read_change(const platform_api& api, request& req) {
  constexpr std::chrono::milliseconds between_reads{200};
  query_reader query(req.query, {"wait"});
  outcome_wait wait(api, req, query);
  query.throw_if_refused();
  const auto reference = domain::normalized_reference(req.parameters.front());
  const auto id = domain::normalized_reference(req.parameters.back());
  for (;;) {
    const auto found = co_await find_change(api, reference, id);
    const bool is_pending = found.change->state == store::stay_change_state::pending;
    bool has_time = false;
    if (is_pending)
      has_time = co_await wait.change_after(found.position, found.change->change.reference, between_reads);
    if (!has_time) co_return json(200, json::text_of(change_outcome, *found.change));
  }
}

const operation put_change_operation{
    .id = "putBookingChange",
    .summary = "Requests other dates, occupants or payment for a booking; a repeat returns the same receipt",
    .tag = extension_tag,
    .body_schema = "BookingChange",
    .responses = {
        {201, "The change is on disk; it is decided in the background", "BookingChangeReceipt"},
        {200, "The same change was submitted before", "BookingChangeReceipt"},
        refusal(400, "A field is missing, unknown or invalid, or changeId is not a UUID",
                "checkInDate must be a valid ISO 8601 date string, checkOutDate must be a valid ISO "
                "8601 date string"),
        unknown_booking,
        refusal(409, "The changeId was submitted with another body",
                "A different change was already submitted with this changeId"),
        refusal(409, "The booking is refused or cancelled, or the stay is over", "The booking is cancelled"),
        body_too_large,
        body_not_json}};

const operation read_change_operation{
    .id = "readBookingChange",
    .summary = "Returns the outcome of a change",
    .tag = extension_tag,
    .responses = {{200, "The outcome as it is now", "BookingChangeOutcome"},
                  refusal(404, "Your platform has submitted no change with this changeId for the booking",
                          "Change not found with changeId unknown")},
    .queries = {wait_query}};

} // namespace

void add_change_schemas(json::schemas& to) {
  to.add(change_body);
  to.add(change_receipt);
  to.add(change_outcome);
}

std::vector<route> change_routes(const platform_api& api) {
  if (!api.platform.has(domain::platform_right::change)) return {};
  constexpr auto path = "/bookings/{bookingId}/changes/{changeId}";
  return {{"PUT", path, body_policy::json, api.checks(), with(api, put_change), &put_change_operation},
          {"GET", path, body_policy::none, api.checks(), with(api, read_change), &read_change_operation}};
}

} // namespace roost::http
