#include "actors/runtime/ask.hpp"
#include "http/json/query_reader.hpp"
#include "http/partner/outcome_names.hpp"
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/protocol/workload.hpp"
#include "json/object.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

/// Outcomes of a platform's bookings: of one reference, or all in the order in which they last changed.
/// Requests with `wait` await an actor, so they occupy no thread.
namespace roost::http {

namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using store::outcome_status;
using store::submission_outcome;

constexpr std::string_view cursor_rule = " must be 0 or the cursor of an earlier response";
constexpr int default_limit = 500, max_limit = 1'000;
constexpr seconds max_wait{30};

// Bodies

constexpr auto taken_range = json::object<domain::nights>(
    "", json::member("from", &domain::nights::first, "The first night that is taken"),
    json::member("to", &domain::nights::last, "The last one of the range, inclusive"));

struct outcome_refusal {
  domain::refusal reason{};
  const std::vector<domain::nights>* taken = nullptr;
};

std::string_view reason_text(domain::refusal reason) {
  switch (reason) {
  case domain::refusal::overlapping_nights:
    return "Some nights of the stay are taken";
  case domain::refusal::provider_payment_missing:
    return "platformProviderPaymentValue is missing or 0";
  case domain::refusal::check_out_not_after_check_in:
    return "checkOutDate is not after checkInDate";
  default:
    return "No unit with this externalId can be booked on your platform";
  }
}

constexpr auto refusal_object = json::object<outcome_refusal>(
    "",
    json::member(
        "reason", [](const outcome_refusal& from) { return json::plain_text{partner_name_of(from.reason)}; },
        "Why the booking was refused", json::one_of{partner_refusal_names}),
    json::member(
        "message", [](const outcome_refusal& from) { return json::plain_text{reason_text(from.reason)}; },
        "The reason in words, which may change"),
    json::list(
        "takenNights", [](const outcome_refusal& from) -> const auto& { return *from.taken; }, taken_range,
        "The nights of the stay that were taken when it was refused; empty for other reasons"));

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
        json::part("refusal", shown_refusal, refusal_object, "Null unless the status is `refused`"),
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

/// Reads a whole number of digits.
std::optional<std::int64_t> parse_digits(std::string_view text) {
  std::int64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc() || rest != end || text.front() == '-') return std::nullopt;
  return number;
}

/// Reads a position, a hyphen and a mark, or only 0.
std::optional<actors::outcome_cursor> parse_cursor(std::string_view text) {
  const auto hyphen = text.find('-');
  const auto position = parse_digits(text.substr(0, hyphen));
  const bool has_mark = hyphen != std::string_view::npos;
  const auto mark = has_mark ? text.substr(hyphen + 1) : std::string_view();
  if (!position || (*position == 0) == has_mark || has_mark == mark.empty()) return std::nullopt;
  return actors::outcome_cursor{*position, std::string(mark)};
}

std::optional<seconds> parse_wait(std::string_view text) {
  if (!text.ends_with('s')) return std::nullopt;
  const auto number = parse_digits(text.substr(0, text.size() - 1));
  if (!number || *number > max_wait.count()) return std::nullopt;
  return seconds{*number};
}

/// How long a request waits for a change of its platform's outcomes. From the first wait on, the request
/// counts as a waiting one.
class outcome_wait {
public:
  outcome_wait(const platform_api& api, request& req, query_reader& query)
      : api_(api), request_(req),
        until_(steady_clock::now() +
               query.value("wait", parse_wait, " must be 0s to 30s, in whole seconds").value_or(seconds{0})) {
  }

  /// Waits until the outcome of a reference (empty: any) has changed after this position. Returns false if
  /// the time is over. Throws busy() if too many requests wait. The reference must outlive the wait.
  asio::awaitable<bool> change_after(std::int64_t position, const std::string& reference) {
    const auto now = steady_clock::now();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - now);
    if (left.count() <= 0) co_return false;
    if (!counted_) counted_.emplace(*request_.load, request_.prefix);
    actors::await_outcomes message{api_.platform.name, reference, position, left};
    co_await actors::ask(api_.services.outcomes, std::move(message));
    request_.waited += steady_clock::now() - now;
    co_return true;
  }

private:
  const platform_api& api_;
  request& request_;
  steady_clock::time_point until_;
  std::optional<workload::waiting_request> counted_;
};

// Routes

error outcome_not_found(const platform_api& api, const std::string& reference) {
  return not_found("Booking not found for " + api.platform.name + " with bookingId " + reference);
}

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

constexpr documented_query wait_query{"wait", "How long to wait for a decision or a change: 0s to 30s",
                                      "WaitTime"};

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
  throw outcome_not_found(api, reference);
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
