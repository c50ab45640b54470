#include "domain/platform.hpp"
#include "http/access/access.hpp"
#include "http/office/lists.hpp"
#include "http/office/office_objects.hpp"
#include "http/stays/stay_queries.hpp"
#include "http/stays/stays_api.hpp"
#include "http/stays/tenant_object.hpp"
#include "portfolio/description.hpp"

#include <algorithm>
#include <array>

namespace roost::http {

namespace {

using domain::booking_request;
using portfolio::field, portfolio::record, portfolio::via;
using store::office_request;
namespace kind = portfolio::kind;

/// Why a request was refused.
struct request_refusal {
  std::string_view reason, message;

  friend bool operator==(const request_refusal&, const request_refusal&) = default;
};

/// In the order of domain::refusal. The reasons are those of the partner extensions.
constexpr std::array<request_refusal, domain::refusal_names.size()> refusals{
    {{"listing_not_found",
      "No unit is linked under this ID, or the unit is excluded from the platform or archived"},
     {"nights_taken", "A booking, a block or another platform has at least one of these nights"},
     {"nights_held", "A platform holds at least one of these nights for a guest who is about to book"},
     {"no_payment_value", "The platform did not say how much it collected and pays to you"},
     {"dates_out_of_order", "The check-out date is not after the check-in date"},
     {"platform_not_configured", "The platform is not connected any more"},
     {"withdrawn", "The platform cancelled the booking before it was decided"}}};

std::optional<request_refusal> refusal_of(const office_request& request) {
  if (!request.reason) return std::nullopt;
  const auto known = std::ranges::find(domain::refusal_names, *request.reason);
  if (known == domain::refusal_names.end()) return std::nullopt;
  return refusals.at(static_cast<std::size_t>(known - domain::refusal_names.begin()));
}

/// A request as the caller may see it.
struct shown_request {
  office_request stored;
  std::optional<lead_tenant> tenant; ///< nullopt: the caller may not see tenants
  std::optional<request_refusal> refusal;
};

constexpr auto refusal_object =
    record<request_refusal>(field("reason", stored_text{}, &request_refusal::reason,
                                  "`listing_not_found`, `nights_taken`, `nights_held`, `no_payment_value`, "
                                  "`dates_out_of_order`, `platform_not_configured` or `withdrawn`"),
                            field("message", stored_text{}, &request_refusal::message, "For people"));

template <auto Member>
constexpr auto in_request = via(&shown_request::stored, &office_request::request, Member);
template <auto Member>
constexpr auto in_outcome = via(&shown_request::stored, Member);

constexpr auto request_object = record<shown_request>(
    field("id", kind::id, in_request<&booking_request::id>, "The request's UUID"),
    field("platform", stored_text{}, in_request<&booking_request::platform>, "Which platform requested"),
    field("state", kind::choice{domain::request_state_names}, in_outcome<&office_request::state>,
          "New: not decided yet; Success: booked; Failed: refused; Dropped: repeats an earlier request"),
    field("externalId", stored_text{}, in_request<&booking_request::external_id>,
          "The platform's ID of the unit"),
    field("bookingId", stored_text{}, in_request<&booking_request::reference>,
          "The platform's ID of the booking; null: none"),
    field("unitId", kind::id, in_outcome<&office_request::unit_id>,
          "The requested unit; null: the ID leads to none"),
    field("unitName", stored_text{}, in_outcome<&office_request::unit_name>, ""),
    field("checkInDate", kind::day, in_request<&booking_request::check_in>, ""),
    field("checkOutDate", kind::day, in_request<&booking_request::check_out>, ""),
    field("occupants", kind::whole{1, domain::max_capacity}, in_request<&booking_request::occupants>, ""),
    field("platformProviderPaymentValue", kind::amount, in_request<&booking_request::provider_payment>,
          "What the platform collected and pays to the landlord; null: not sent"),
    field("tenant", kind::object{lead_tenant_object}, &shown_request::tenant,
          "The lead tenant as the platform sent it; null: the role lacks tenants.view"),
    field("refusal", kind::object{refusal_object}, &shown_request::refusal, "null: not refused"),
    field("booking", kind::id, in_outcome<&office_request::booking_id>,
          "The UUID of the booking that it became; null: none"),
    field("receivedAt", kind::moment, in_request<&booking_request::received_at>, "In UTC"),
    field("decidedAt", kind::moment, in_outcome<&office_request::decided_at>, "In UTC; null: not yet"));

shown_request shown(office_request stored, bool shows_tenants) {
  shown_request result{{}, {}, refusal_of(stored)};
  if (shows_tenants) result.tenant = lead_tenant{stored.request.tenant};
  result.stored = std::move(stored);
  return result;
}

store::moment_place place_of(const office_request& each) {
  return {each.request.received_at, each.request.id};
}

std::string request_place_after(const shown_request& last) { return cursor_after(place_of(last.stored)); }

/// What a list of requests needs to know.
struct request_query {
  store::office_scope scope;
  store::platforms_of_account platforms;
  store::office_request_filter filter;
};

store::platforms_of_account platforms_of(const office_services& services, const domain::uuid& account) {
  store::platforms_of_account platforms;
  for (const auto& each : services.configured.platforms) {
    if (each.account == account) platforms.own.push_back(each.name);
    if (domain::traits_of(each).matches_by_property) platforms.by_property.push_back(each.name);
  }
  return platforms;
}

std::optional<domain::request_state> parse_state(std::string_view text) {
  const auto name = std::ranges::find(domain::request_state_names, text);
  if (name == domain::request_state_names.end()) return std::nullopt;
  return static_cast<domain::request_state>(name - domain::request_state_names.begin());
}

request_query read_request_query(const office_services& services, const request& req, query_reader& query) {
  request_query read{scope_of(req), platforms_of(services, scope_of(req).account_id), {}};
  read.filter.state = query.value("state", parse_state, " must be one of New, Success, Failed, Dropped");
  read.filter.platform = query.value("platform", parse_storable, storable_rule);
  read.filter.since = query.value("since", domain::parse_iso_moment, " must be a valid ISO 8601 date string");
  query.throw_if_refused();
  return read;
}

/// Reads a page of requests.
asio::awaitable<std::optional<store::office_page<office_request>>>
request_page(actors::storage_lane lane, request_query of, std::optional<store::moment_place> after,
             std::size_t limit, store::with_total counted) {
  return optional_page<office_request>(std::move(lane), [=, of = std::move(of)](store::session& db) {
    return store::list_office_requests(db, of.scope, of.platforms, of.filter, after, limit, counted);
  });
}

asio::awaitable<response> list_requests(const office_services& services, request& req) {
  query_reader query(req.query, {"limit", "after", "state", "platform", "since"});
  const auto limit = read_list_limit(query);
  const auto after = read_moment_place(query);
  const auto wanted = read_request_query(services, req, query);
  const bool shows_tenants = may_see_tenants(services, req);
  if (wants_csv(req)) {
    page_reader<office_request> next_page = [lane = services.storage, wanted](const office_request* last) {
      std::optional<store::moment_place> place;
      if (last != nullptr) place = place_of(*last);
      return request_page(lane, wanted, place, max_list_limit, store::with_total::no);
    };
    row_writer<office_request> add =
        [shows_tenants, rows = rows_of(request_object)](csv_table& table, const office_request* each) {
          if (each == nullptr) return rows(table, nullptr);
          const auto whole = shown(*each, shows_tenants);
          rows(table, &whole);
        };
    auto table = co_await stream_table(std::move(next_page), std::move(add), "requests");
    co_return std::move(table).value();
  }
  auto stored = co_await request_page(services.storage, wanted, after, limit, store::with_total::yes);
  store::office_page<shown_request> page{{}, stored->has_more, stored->total};
  for (auto& each : stored->items) page.items.push_back(shown(std::move(each), shows_tenants));
  co_return json(200, page_json(request_object, page, request_place_after));
}

const operation requests_operation{
    .id = "listRequests",
    .summary = "Returns what platforms requested, newest first, and what became of it",
    .responses = {{200, "A page of requests, or all of them as CSV", "BookingRequestPage"},
                  {403, "The role lacks bookings.view", "Error"}},
    .queries = {limit_query,
                after_query,
                {"state", "Only requests in this state: New, Success, Failed or Dropped", "ListText"},
                {"platform", "Only requests of this platform", "ListText"},
                {"since", "Only requests that were received at this time or later", "ListMoment"}}};

} // namespace

std::vector<route> request_routes(const office_services& services) {
  return routes_for(services, {{"GET", "/api/requests", body_policy::none, "bookings.view", list_requests,
                                &requests_operation}});
}

void add_request_schemas(json::schemas& to) {
  add_list_schemas(to, json::schema_of(request_object), "BookingRequest");
}

} // namespace roost::http
