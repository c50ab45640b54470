#include "actors/runtime/ask.hpp"
#include "http/json/query_reader.hpp"
#include "http/partner/outcome_names.hpp"
#include "http/partner/outcome_wait.hpp"
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/partner/refusal_object.hpp"
#include "json/object.hpp"

#include <optional>
#include <utility>

/// Outcomes of a platform's bookings: of one reference, or all in the order in which they last changed.
/// Requests with `wait` await an actor, so they occupy no thread.
namespace roost::http {

namespace {

using store::outcome_status;
using store::submission_outcome;

constexpr std::string_view cursor_rule = " must be 0 or the cursor of an earlier response";
constexpr int default_limit = 500, max_limit = 1'000;

// Bodies

struct outcome_cancellation {
  domain::cancelled_by by{};
  domain::timestamp at{};
};

constexpr auto cancellation_object = json::object<outcome_cancellation>(
    "",
    json::member(
        "by",
        [](const outcome_cancellation& from) {
          return json::plain_text{canceller_names.at(static_cast<std::size_t>(from.by))};
        },
        "`partner`: your platform", json::one_of{canceller_names}),
    json::member("at", &outcome_cancellation::at, "When the nights became free, in UTC"));

std::optional<outcome_refusal> shown_refusal(const submission_outcome& outcome) {
  if (!outcome.refusal) return std::nullopt;
  return outcome_refusal{*outcome.refusal, &outcome.taken_nights};
}

std::optional<outcome_cancellation> shown_cancellation(const submission_outcome& outcome) {
  if (!outcome.cancelled_by) return std::nullopt;
  return outcome_cancellation{*outcome.cancelled_by, outcome.cancelled_at.value_or(domain::timestamp{})};
}

constexpr auto outcome_object =
    json::object<submission_outcome>(
        "BookingOutcome", json::member("bookingId", &submission_outcome::reference, "Your ID of the booking"),
        json::member("externalId", &submission_outcome::external_id, "Your ID of the unit, as submitted"),
        json::member("checkInDate", &submission_outcome::check_in, "The first night, as booked now"),
        json::member("checkOutDate", &submission_outcome::check_out, "The check-out day, as booked now"),
        json::member("status", &submission_outcome::status,
                     "A stay that is in progress or over is still `confirmed`"),
        json::member("receivedAt", &submission_outcome::received_at, "When it was submitted, in UTC"),
        json::member("decidedAt", &submission_outcome::decided_at, "Null: not decided yet"),
        json::member("changedAt", &submission_outcome::changed_at, "When this last changed"),
        json::part("refusal", shown_refusal, refusal_object_of<partner_refusal_names>,
                   "Null unless the status is `refused`"),
        json::part("cancellation", shown_cancellation, cancellation_object,
                   "Null unless the status is `cancelled`"))
        .example(R"({"bookingId":"7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a","externalId":"771",
"checkInDate":"2027-02-01","checkOutDate":"2027-05-01","status":"refused","receivedAt":"2026-11-20T09:30:00.000Z",
"decidedAt":"2026-11-20T09:30:21.000Z","changedAt":"2026-11-20T09:30:21.000Z","refusal":{"reason":"nights_taken",
"message":"Some nights of the stay are taken","takenNights":[{"from":"2027-02-01","to":"2027-02-10"}]},
"cancellation":null})");

std::string cursor_text(const actors::outcome_cursor& cursor) {
  return cursor.position == 0 ? "0" : std::to_string(cursor.position) + '-' + cursor.mark;
}

constexpr auto outcome_list_object = json::object<actors::outcome_list>(
    "BookingOutcomes",
    json::list(
        "bookings", [](const actors::outcome_list& from) -> const auto& { return from.outcomes; },
        outcome_object, "Bookings that are not pending, in the order in which they last changed"),
    json::member(
        "cursor", [](const actors::outcome_list& from) { return cursor_text(from.cursor); },
        "The `after` of the next request"),
    json::member(
        "more", [](const actors::outcome_list& from) { return from.more; },
        "Whether there are more: then the list may also be shorter than `limit`, or empty"));

// Queries

/// Reads a position, a hyphen and a mark, or only 0.
std::optional<actors::outcome_cursor> parse_cursor(std::string_view text) {
  const auto hyphen = text.find('-');
  const auto position = parse_digits(text.substr(0, hyphen));
  const bool has_mark = hyphen != std::string_view::npos;
  const auto mark = has_mark ? text.substr(hyphen + 1) : std::string_view();
  if (!position || (*position == 0) == has_mark || has_mark == mark.empty()) return std::nullopt;
  return actors::outcome_cursor{*position, std::string(mark)};
}

// Routes

asio::awaitable<response> read_outcome(const platform_api& api, request& req) {
  query_reader query(req.query, {"wait"});
  outcome_wait wait(api, req, query);
  query.throw_if_refused();
  const auto reference = domain::normalized_reference(req.parameters.front());
  for (;;) {
    const auto found = co_await find_outcome(api, reference);
    const bool is_pending = found.outcome->status == outcome_status::pending;
    bool has_time = false;
    if (is_pending) has_time = co_await wait.change_after(found.position, found.outcome->reference);
    if (!has_time) co_return outcome_response(*found.outcome);
  }
}

const std::string any_reference;

asio::awaitable<response> list_outcomes(const platform_api& api, request& req) {
  query_reader query(req.query, {"after", "limit", "wait"});
  const auto after = query.value("after", parse_cursor, cursor_rule);
  const auto limit = query.count("limit", max_limit, default_limit);
  outcome_wait wait(api, req, query);
  query.throw_if_refused();
  for (;;) {
    auto listed = co_await actors::read_outcomes(api.services.reads, api.platform.name, after,
                                                 static_cast<std::size_t>(limit));
    if (!listed) throw bad_request(std::string("after").append(cursor_rule)); // of another store or platform
    bool has_time = false;
    if (after && listed->outcomes.empty() && !listed->more)
      has_time = co_await wait.change_after(listed->cursor.position, any_reference);
    if (!has_time) co_return json(200, json::text_of(outcome_list_object, *listed));
  }
}

const operation outcome_operation{
    .id = "readBooking",
    .summary = "Returns the outcome of a booking",
    .tag = certainty_tag,
    .responses = {{200, "The outcome as it is now", "BookingOutcome"}, unknown_booking},
    .queries = {wait_query}};

const operation outcomes_operation{
    .id = "listBookings",
    .summary = "Returns outcomes of bookings, in the order in which they last changed",
    .tag = certainty_tag,
    .responses = {{200, "The next outcomes, or none yet", "BookingOutcomes"},
                  refusal(400, "The cursor is not one of this route",
                          "after must be 0 or the cursor of an earlier response")},
    .queries = {
        {"after", "0: from the beginning; missing: no bookings, only the newest cursor", "OutcomeCursor"},
        {"limit", "The maximum number of bookings, 1 to 1,000", "OutcomeLimit"},
        wait_query}};

} // namespace

asio::awaitable<actors::positioned_outcome> find_outcome(const platform_api& api,
                                                         const std::string& reference) {
  for (const auto& spelling : stored_spellings(api, reference)) {
    auto found = co_await actors::find_outcome(api.services.reads, api.platform.name, spelling);
    if (found.outcome) co_return found;
  }
  throw booking_not_found(api.platform, reference);
}

response outcome_response(const store::submission_outcome& outcome) {
  return json(200, json::text_of(outcome_object, outcome));
}

void add_outcome_schemas(json::schemas& to) {
  to.add(outcome_object);
  to.add(outcome_list_object);
  to.add("WaitTime", json::schema{{.type = "string", .pattern = "^[0-9]+s$", .initial = "\"0s\""}});
  to.add("OutcomeCursor", json::schema{{.type = "string"}});
  to.add("OutcomeLimit",
         json::schema{{.type = "integer", .minimum = 1, .maximum = max_limit, .initial = "500"}});
}

std::vector<route> outcome_routes(const platform_api& api) {
  return {
      {"GET", "/bookings", body_policy::none, api.checks(), with(api, list_outcomes), &outcomes_operation},
      {"GET", "/bookings/{bookingId}", body_policy::none, api.checks(), with(api, read_outcome),
       &outcome_operation},
  };
}

} // namespace roost::http
