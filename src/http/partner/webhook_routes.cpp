#include "actors/runtime/ask.hpp"
#include "domain/money.hpp"
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"

#include <charconv>

namespace roost::http {

namespace {

constexpr const char* ambiguous_reference = "Ambiguous reference: matches listings on multiple accounts";

response acknowledged(std::string_view message = {}) { return json(201, webhook_receipt(message)); }

/// The units that an event's reference may mean, best match first, with the directory that owns them.
struct named_units {
  std::shared_ptr<const actors::directory> directory;
  actors::directory::candidates units;
};

/// Searches all landlords' links, then all units.
named_units find_for_marketplace_a(const platform_api& api, const webhook_event& event) {
  auto directory = api.directory();
  const auto& reference = event.listing_reference;
  if (directory->is_shared(api.index, reference)) throw conflict(ambiguous_reference);
  auto units = directory->find_all(api.index, reference);
  if (const auto id = domain::parse_uuid(reference); id && units.empty() && !event.linked_only)
    if (const auto* unit = directory->find_unit(*id)) units.push_back(unit);
  return {std::move(directory), std::move(units)};
}

named_units find_for_marketplace_b(const platform_api& api, const std::string& landlord_key,
                                   const webhook_event& event) {
  auto directory = api.directory();
  const auto accounts = directory->accounts_for(api.index, landlord_key);
  auto units = directory->find_all_of(accounts, api.index, event.listing_reference);
  return {std::move(directory), std::move(units)};
}

error unit_not_found(const platform_api& api, const std::string& reference) {
  return api.traits().webhook == domain::marketplace::a
             ? not_found("Listing not found for " + api.platform.name + " with reference " + reference)
             : listing_not_found(api.platform, reference);
}

} // namespace

/// Earlier versions stored a numeric ID, which only marketplace A sends, as the shortest text of a double:
/// 100000.0 as 1e+05, 0.00001 as 1e-05.
std::vector<std::string> stored_spellings(const platform_api& api, const std::string& reference) {
  std::vector<std::string> spellings{reference};
  const auto number = domain::parse_decimal(reference);
  if (api.traits().webhook != domain::marketplace::a || !number) return spellings;
  double value = 0;
  if (std::from_chars(reference.data(), reference.data() + reference.size(), value).ec != std::errc{})
    return spellings;
  char text[32];
  std::string earlier(text, std::to_chars(text, text + sizeof text, value).ptr);
  if (earlier != reference && domain::parse_decimal(earlier) == number)
    spellings.push_back(std::move(earlier));
  return spellings;
}

namespace {

/// Tries all units: the booking's unit may have been withheld since, and its ID given to another unit.
asio::awaitable<response> cancel(const platform_api& api, const named_units& named,
                                 const webhook_event& event, const std::string& by) {
  const auto spellings = stored_spellings(api, *event.booking.reference);
  for (const auto& reference : spellings)
    for (const auto* unit : named.units) {
      actors::cancel_platform_booking message{{api.platform.name, reference, unit->owner->id},
                                              unit->id(),
                                              unit->calendar,
                                              actors::response_deadline(),
                                              unit->changes,
                                              by};
      const auto cancelled = co_await actors::ask(api.services.platform_bookings, std::move(message));
      if (cancelled.done) co_return acknowledged();
    }
  co_return acknowledged("No active booking to cancel");
}

/// Queues the request with its unit, so that the background run uses this unit even if it is not linked. For
/// the unit of an earlier, cancelled booking, which had the ID before, the run drops the event.
asio::awaitable<response> book(const platform_api& api, const named_units& named, webhook_event event) {
  const auto* unit = named.units.front();
  const auto state = co_await actors::ask(unit->calendar, actors::read_publication{api.index});
  if (state.publication == listings::publication::withheld)
    throw unit_not_found(api, event.listing_reference);
  auto& booking = event.booking;
  const auto spellings = stored_spellings(api, *booking.reference);
  for (const auto& reference : spellings)
    for (const auto* each : named.units) {
      store::platform_reference earlier{api.platform.name, reference, each->owner->id};
      const auto status = co_await actors::find_platform_booking(api.services.reads, std::move(earlier));
      if (!status) continue;
      if (*status != domain::booking_status::cancelled) co_return acknowledged("Booking already recorded");
      unit = each;
      booking.reference = reference;
    }
  booking.id = api.services.new_id();
  booking.platform = api.platform.name;
  booking.external_id = event.listing_reference;
  booking.unit_id = unit->id();
  booking.received_at = api.services.now();
  auto digest = api.services.digest_of(booking);
  actors::submit_booking message{{std::move(booking), std::move(digest)}, actors::response_deadline()};
  co_await actors::ask(api.services.intake, std::move(message));
  co_return acknowledged();
}

/// Acts on an event. If an actor does not respond, the marketplace receives 503 and delivers the event again.
asio::awaitable<response> act_on(const platform_api& api, named_units named, webhook_event event,
                                 std::string by) {
  if (named.units.empty()) throw unit_not_found(api, event.listing_reference);
  if (event.requested == webhook_event::action::cancel) co_return co_await cancel(api, named, event, by);
  co_return co_await book(api, named, std::move(event));
}

asio::awaitable<response> receive_from_a(const platform_api& api, request& req) {
  auto event = parse_marketplace_a_event(req.body);
  if (event.requested == webhook_event::action::none)
    co_return acknowledged("Ignored Uniplaces-style event notice: " + event.name);
  auto named = find_for_marketplace_a(api, event);
  auto by = caller_of(api.services, api.platform, req);
  co_return co_await act_on(api, std::move(named), std::move(event), std::move(by));
}

asio::awaitable<response> receive_from_b(const platform_api& api, request& req) {
  const auto& landlord_key = require_landlord_key(req);
  auto event = parse_marketplace_b_event(req.body);
  auto named = find_for_marketplace_b(api, landlord_key, event);
  auto by = caller_of(api.services, api.platform, req);
  co_return co_await act_on(api, std::move(named), std::move(event), std::move(by));
}

operation webhook_operation(std::string_view body, std::string_view bad_request, std::string_view not_found) {
  return {.id = "receiveBookingEvent",
          .summary = "Receives an event of a paid or cancelled booking",
          .body_schema = body,
          .responses = {{201, "Delivered; a paid booking is decided in the background", "WebhookAnswer"},
                        refusal(400, "The event is of an unknown kind, or a field is missing", bad_request),
                        refusal(404, "No unit that can be booked has this reference", not_found),
                        body_too_large,
                        body_not_json}};
}

const operation& operation_of_a() {
  static const auto documented = [] {
    auto operation = webhook_operation("MarketplaceAEvent", missing_event,
                                       "Listing not found for {platform} with reference unknown");
    operation.responses.push_back(
        refusal(409, "Two landlords linked units under this ID", ambiguous_reference));
    return operation;
  }();
  return documented;
}

const operation& operation_of_b() {
  static const auto documented =
      webhook_operation("MarketplaceBEvent", "notification_type must be a string", unknown_id.message);
  return documented;
}

} // namespace

std::vector<route> webhook_routes(const platform_api& api) {
  switch (api.traits().webhook) {
  case domain::marketplace::a:
    return {
        {"POST", "/webhook", body_policy::json, api.checks(), with(api, receive_from_a), &operation_of_a()}};
  case domain::marketplace::b:
    return {{"POST", "/{landlordKey}/webhook", body_policy::json, api.checks(), with(api, receive_from_b),
             &operation_of_b()}};
  default:
    return {};
  }
}

} // namespace roost::http
