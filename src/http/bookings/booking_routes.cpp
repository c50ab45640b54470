#include "actors/office/booking_notices.hpp"
#include "actors/runtime/ask.hpp"
#include "http/access/access.hpp"
#include "http/bookings/booking_bodies.hpp"
#include "http/bookings/booking_changes.hpp"
#include "http/bookings/booking_object.hpp"
#include "http/bookings/bookings_api.hpp"
#include "http/office/conditions.hpp"
#include "http/office/lists.hpp"
#include "http/partner/refusal_object.hpp"
#include "security/digest.hpp"

namespace roost::http {

namespace {

using store::booking_record, store::office_result;

constexpr auto bookings_path = "/api/bookings", booking_path = "/api/bookings/{bookingId}";

bool may_see_tenants(const office_services& services, const request& req) {
  return has_permission(services.management->roles, caller_of(req).user->role, "tenants.view");
}

error no_booking() { return not_found("There is no such booking"); }

domain::uuid booking_in_path(const request& req) {
  const auto id = id_in_path(req, 0);
  if (!id) throw no_booking();
  return *id;
}

const char* message_of(domain::refusal refusal, bool is_on_platform) {
  switch (refusal) {
  case domain::refusal::overlapping_nights:
    return "Nights of the stay are taken";
  case domain::refusal::held_nights:
    return "A platform holds nights of the stay for a guest who is about to book; this takes at most 30 "
           "minutes";
  case domain::refusal::provider_payment_missing:
    return "The platform requires platformProviderPaymentValue";
  default:
    return is_on_platform
               ? "The unit cannot be booked there: it is archived, excluded from the feed, or not linked"
               : "The unit or its property is archived";
  }
}

error stay_refused(const store::booking_outcome& outcome, bool is_on_platform) {
  auto refusal = conflict(message_of(*outcome.refused, is_on_platform));
  refusal.with("reason", std::string(partner_name_of(*outcome.refused)))
      .with("takenNights", json_value{taken_nights_json(outcome.taken)});
  return refusal;
}

store::booking_condition condition_of_booking(const request& req) {
  auto sent = if_match_of(req);
  if (!sent.is_present) return {};
  return [sent = std::move(sent)](const booking_record& stored) {
    return sent.matches(tag_of(office_booking_object, view_of(stored, false)));
  };
}

/// Converts the outcome of a write. Throws its refusal. `is_on_platform`: the platform may refuse the unit.
response booking_written(const office_services& services, const request& req, store::booking_outcome outcome,
                         bool is_on_platform = false) {
  if (outcome.result == office_result::other_request)
    throw conflict("Another booking was created with this id");
  if (outcome.result == office_result::booked) throw stay_refused(outcome, is_on_platform);
  const auto view = view_of(std::move(outcome.booking), may_see_tenants(services, req));
  throw_refusal(req, office_booking_object, view, {outcome.result, outcome.problem, outcome.last}, "booking");
  const bool is_new = outcome.result == office_result::created;
  auto result = respond_with(is_new ? 201 : 200, office_booking_object, view);
  if (is_new)
    result.fields.emplace_back("Location", services.management->base_url + "/api/bookings/" +
                                               domain::to_string(view.record.booking.id));
  return result;
}

asio::awaitable<response> create_booking(const office_services& services, request& req) {
  const auto sent = read_booking_creation(req.body, services.configured.platforms);
  store::booking_creation creation;
  creation.id = sent.id.value_or(domain::uuid{});
  if (sent.id)
    creation.request_hash = security::to_hex(security::sha256(text_of(sent)));
  else
    creation.id = services.new_id();
  auto author = author_of(services, req, "booking creation", domain::to_string(creation.id), {});
  creation.unit_id = sent.unit_id;
  if (sent.platform != nullptr) creation.platform = *sent.platform;
  creation.stay = sent.stay(domain::day_of(author.now));
  creation.tenant = sent.tenant;
  creation.new_tenant_id = services.new_id();
  creation.describe = changes_of_booking;
  creation.notice = actors::notice_of_creation(author, services.new_id());
  actors::create_booking message{scope_of(req), std::move(creation), std::move(author),
                                 actors::response_deadline()};
  auto outcome = co_await actors::ask(services.writer, std::move(message));
  co_return booking_written(services, req, std::move(outcome), sent.platform != nullptr);
}

/// Returns the nights that the change takes in this state; nullopt if it takes no others, or none at all.
std::optional<store::unit_nights> expected_nights(const booking_change_body& sent,
                                                  const domain::booking& booking) {
  const store::unit_nights now{booking.unit_id, domain::stay_nights(booking.check_in, booking.check_out)};
  const auto check_in = sent.check_in.value_or(booking.check_in),
             check_out = sent.check_out.value_or(booking.check_out);
  if (check_out <= check_in) return std::nullopt;
  const store::unit_nights wanted{sent.unit_id.value_or(booking.unit_id),
                                  domain::stay_nights(check_in, check_out)};
  return wanted == now ? std::nullopt : std::optional{wanted};
}

asio::awaitable<response> change_booking(const office_services& services, request& req) {
  const auto sent = read_booking_change(req.body);
  const auto id = booking_in_path(req);
  std::function<std::optional<booking_record>(store::session&)> find =
      [scope = scope_of(req), id](store::session& db) { return store::find_booking(db, scope, id); };
  const auto stored = co_await actors::in_store(services.storage, "office_read", std::move(find));
  if (!stored) throw no_booking();
  auto author = author_of(services, req, "booking change", domain::to_string(id), {});
  store::booking_change change{
      id, condition_of_booking(req), sent.unit_id, sent.check_in, sent.check_out, sent.occupants};
  change.expected = expected_nights(sent, stored->booking);
  change.entry_id = services.new_id();
  change.describe = changes_of_booking;
  change.notice = actors::notice_of_change(author, services.new_id());
  actors::change_booking message{scope_of(req), std::move(change), std::move(author),
                                 actors::response_deadline()};
  auto outcome = co_await actors::ask(services.writer, std::move(message));
  co_return booking_written(services, req, std::move(outcome));
}

asio::awaitable<response> cancel_booking(const office_services& services, request& req) {
  auto reason = read_booking_cancellation(req.body);
  const auto id = booking_in_path(req);
  auto author = author_of(services, req, store::booking_cancel, domain::to_string(id), {});
  store::booking_cancellation cancellation{id, condition_of_booking(req), reason, changes_of_booking};
  cancellation.notice = actors::notice_of_cancellation(author, services.new_id(), std::move(reason));
  actors::cancel_booking message{scope_of(req), std::move(cancellation), std::move(author),
                                 actors::response_deadline()};
  auto outcome = co_await actors::ask(services.writer, std::move(message));
  co_return booking_written(services, req, std::move(outcome));
}

asio::awaitable<response> show_booking(const office_services& services, request& req) {
  const auto id = booking_in_path(req);
  std::function<std::optional<booking_record>(store::session&)> find =
      [scope = scope_of(req), id](store::session& db) { return store::find_booking(db, scope, id); };
  auto stored = co_await actors::in_store(services.storage, "office_read", std::move(find));
  if (!stored) throw no_booking();
  // Never 304: the ETag does not cover the guest, whose data may have been erased since.
  co_return respond_with(200, office_booking_object,
                         view_of(*std::move(stored), may_see_tenants(services, req)));
}

store::booking_place place_of_booking(const booking_record& record) {
  return {record.booking.created_at, record.booking.id};
}

std::string booking_cursor(const booking_view& last) {
  const auto place = place_of_booking(last.record);
  return cursor_of({domain::to_string(place.created_at), domain::to_string(place.id)});
}

std::optional<store::booking_place> read_booking_place(query_reader& query) {
  constexpr std::size_t texts_of_place = 2; // a time and an id
  const auto texts = read_cursor(query, texts_of_place);
  if (!texts) return std::nullopt;
  const auto created_at = domain::parse_timestamp(texts->front());
  const auto id = domain::parse_uuid(texts->back());
  if (!created_at || !id) return refuse_cursor(query);
  return store::booking_place{*created_at, *id};
}

std::optional<domain::uuid> parse_booking_filter_id(std::string_view text) {
  return domain::parse_uuid(text);
}

std::optional<domain::booking_status> parse_status(std::string_view text) {
  const auto& names = domain::booking_status_names;
  const auto name = std::ranges::find(names, text);
  if (name == names.end()) return std::nullopt;
  return static_cast<domain::booking_status>(name - names.begin());
}

/// Reads one date, or a range by its ends: `arriving`, or `arrivingFrom` and `arrivingTo`.
store::date_range read_range(query_reader& query, const std::string& name) {
  constexpr std::string_view rule = " must be a real date written YYYY-MM-DD";
  const auto day = query.value(name, domain::parse_date, rule),
             from = query.value(name + "From", domain::parse_date, rule),
             to = query.value(name + "To", domain::parse_date, rule);
  if (day && (from || to)) query.refuse(name + " excludes " + name + "From and " + name + "To");
  if (day) return {day, day};
  return {from, to};
}

store::office_booking_filter read_booking_filter(query_reader& query) {
  constexpr std::string_view id_rule = " must be a UUID";
  store::office_booking_filter filter;
  filter.status =
      query.value("status", parse_status, " must be confirmed, checked_in, checked_out or cancelled");
  filter.platform = query.value("platform", parse_storable, storable_rule).value_or("");
  filter.unit_id = query.value("unit", parse_booking_filter_id, id_rule);
  filter.property_id = query.value("property", parse_booking_filter_id, id_rule);
  filter.tenant_id = query.value("tenant", parse_booking_filter_id, id_rule);
  filter.check_in = read_range(query, "arriving");
  filter.check_out = read_range(query, "leaving");
  filter.text = query.text("q").value_or("");
  return filter;
}

asio::awaitable<std::optional<store::office_page<booking_view>>>
booking_view_page(actors::storage_lane lane, store::office_scope scope, store::office_booking_filter filter,
                  std::optional<store::booking_place> after, std::size_t limit, store::with_total counted,
                  bool shows_tenants) {
  std::function<store::office_page<booking_record>(store::session&)> read = [=](store::session& db) {
    return store::list_office_bookings(db, scope, filter, after, limit, counted);
  };
  auto stored = co_await actors::in_store(std::move(lane), "office_read", std::move(read));
  store::office_page<booking_view> page{{}, stored.has_more, stored.total};
  for (auto& each : stored.items) page.items.push_back(view_of(std::move(each), shows_tenants));
  co_return page;
}

asio::awaitable<response> list_bookings(const office_services& services, request& req) {
  query_reader query(req.query,
                     {"limit", "after", "status", "platform", "unit", "property", "tenant", "arriving",
                      "arrivingFrom", "arrivingTo", "leaving", "leavingFrom", "leavingTo", "q"});
  const auto limit = read_list_limit(query);
  const auto after = read_booking_place(query);
  auto filter = read_booking_filter(query);
  query.throw_if_refused();
  const bool shows_tenants = may_see_tenants(services, req);
  filter.finds_guests = shows_tenants;
  if (wants_csv(req)) {
    page_reader<booking_view> next_page = [lane = services.storage, scope = scope_of(req), filter,
                                           shows_tenants](const booking_view* last) {
      std::optional<store::booking_place> place;
      if (last != nullptr) place = place_of_booking(last->record);
      return booking_view_page(lane, scope, filter, place, max_list_limit, store::with_total::no,
                               shows_tenants);
    };
    auto rows = rows_of(office_booking_object, tag_column::yes);
    auto table = co_await stream_table(std::move(next_page), std::move(rows), "bookings");
    co_return std::move(table).value();
  }
  const auto page = co_await booking_view_page(services.storage, scope_of(req), filter, after, limit,
                                               store::with_total::yes, shows_tenants);
  co_return json(200, page_json(office_booking_object, page.value(), booking_cursor));
}

const documented_response booking_unknown{404, "There is no such booking", "Error", false,
                                          {},  "There is no such booking"},
    may_not_view_bookings{403, "The role lacks bookings.view", "Error"},
    may_not_create_bookings{403, "The role lacks bookings.create", "Error"},
    stay_not_bookable{409,
                      "The stay cannot be booked: `reason` says why, `takenNights` which nights are taken",
                      "StayRefused",
                      false,
                      {},
                      "Nights of the stay are taken"},
    booking_condition_required{428, "If-Match is missing", "Error"},
    booking_outdated{412, "The booking has changed: who changed which members, and when", "OutdatedState"};

const operation list_bookings_operation{
    .id = "listBookings",
    .summary = "Returns the bookings, newest first",
    .responses = {{200, "A page of bookings, or all of them as CSV", "BookingPage"}, may_not_view_bookings},
    .queries = {limit_query,
                after_query,
                {"status", "Only bookings of this status", "BookingStatus"},
                {"platform", "Only bookings of this platform", "ListText"},
                {"unit", "Only bookings of this unit", "ListId"},
                {"property", "Only bookings of this property", "ListId"},
                {"tenant", "Only bookings of this tenant", "ListId"},
                {"arriving", "Only stays that begin on this day", "ListDay"},
                {"arrivingFrom", "Only stays that begin on this day or later", "ListDay"},
                {"arrivingTo", "Only stays that begin on this day or earlier", "ListDay"},
                {"leaving", "Only stays that end on this day", "ListDay"},
                {"leavingFrom", "Only stays that end on this day or later", "ListDay"},
                {"leavingTo", "Only stays that end on this day or earlier", "ListDay"},
                {"q",
                 "Only bookings whose reference, whose unit's name or, with tenants.view, whose guest's name "
                 "contains this",
                 "ListText"}}};
const operation show_booking_operation{
    .id = "getBooking",
    .summary = "Returns the booking, with its ETag",
    .responses = {{200, "The booking", "Booking"}, may_not_view_bookings, booking_unknown}};
const operation create_booking_operation{
    .id = "createBooking",
    .summary = "Books a stay for a guest who calls. Repeating a request with the same id is safe",
    .body_schema = "BookingCreation",
    .responses = {{201, "The booking; Location is its URL", "Booking"},
                  {200, "The same request created this booking before", "Booking"},
                  may_not_create_bookings,
                  stay_not_bookable,
                  {409,
                   "Another booking was created with this id",
                   "Error",
                   false,
                   {},
                   "Another booking was created with this id"}}};
const operation change_booking_operation{
    .id = "changeBooking",
    .summary = "Changes the dates, the unit or the occupants, and computes the plan again",
    .body_schema = "BookingChange",
    .responses = {{200, "The booking as it is now", "Booking"},
                  may_not_create_bookings,
                  booking_unknown,
                  stay_not_bookable,
                  {409,
                   "The booking is cancelled, or the stay is over or has begun",
                   "Error",
                   false,
                   {},
                   "The stay is over"},
                  booking_condition_required,
                  booking_outdated},
    .headers = {if_match_header}};
const operation cancel_booking_operation{
    .id = "cancelBooking",
    .summary = "Cancels the booking: its nights are free immediately",
    .body_schema = "BookingCancellation",
    .responses = {{200, "The booking as it is now", "Booking"},
                  {403, "The role lacks bookings.cancel", "Error"},
                  booking_unknown,
                  {409,
                   "The booking is already cancelled, or the stay is over",
                   "Error",
                   false,
                   {},
                   "The booking is already cancelled"},
                  booking_condition_required,
                  booking_outdated},
    .headers = {if_match_header}};

} // namespace

std::vector<route> office_booking_routes(const office_services& services) {
  constexpr auto may_view = "bookings.view", may_create = "bookings.create";
  using enum body_policy;
  return routes_for(
      services,
      {{"GET", bookings_path, none, may_view, list_bookings, &list_bookings_operation},
       {"POST", bookings_path, body_policy::json, may_create, create_booking, &create_booking_operation},
       {"GET", booking_path, none, may_view, show_booking, &show_booking_operation},
       {"PATCH", booking_path, body_policy::json, may_create, change_booking, &change_booking_operation},
       {"POST", "/api/bookings/{bookingId}/cancel", body_policy::json, "bookings.cancel", cancel_booking,
        &cancel_booking_operation}});
}

void add_office_booking_schemas(json::schemas& to) {
  add_booking_body_schemas(to);
  add_list_schemas(to, json::schema_of(office_booking_object), "Booking");
  to.add("BookingStatus", json::schema{{.type = "string", .names = domain::booking_status_names}});
  json::schema refused{{.type = "object"}};
  json::schema reason{{.type = "string"}};
  reason.member = "reason";
  reason.schema_facts.meaning = "`listing_not_found`, `nights_taken`, `nights_held` or `no_payment_value`";
  refused.bases = {"Error"};
  refused.members = {std::move(reason), taken_nights_schema()};
  to.add("StayRefused", refused);
}

} // namespace roost::http
