#include "http/bookings/booking_bodies.hpp"
#include "http/bookings/booking_object.hpp"
#include "http/bookings/bookings_api.hpp"

namespace roost::http {

namespace {

asio::awaitable<response> quote_stay(const office_services& services, request& req) {
  const auto sent = read_quote_request(req.body, services.configured.platforms);
  const auto stay = sent.stay(domain::day_of(services.management->now()));
  std::function<std::optional<domain::stay_quote>(store::session&)> read =
      [scope = scope_of(req), unit = sent.unit_id, platform = sent.platform, stay](store::session& db) {
        return store::quote_stay(db, scope, unit, platform, stay);
      };
  auto quote = co_await actors::in_store(services.storage, "office_read", std::move(read));
  if (!quote) throw bad_request("unitId must be a unit of the account");
  const auto view = view_of(*std::move(quote), stay.check_out);
  co_return json(200, object_json(office_quote_object, view));
}

const operation quote_operation{
    .id = "quoteStay",
    .summary = "Returns what a booking would cost, and whether it would be made",
    .body_schema = "QuoteRequest",
    .responses = {{200, "The quote", "Quote"}, {403, "The role lacks bookings.view", "Error"}}};
} // namespace

std::vector<route> quote_routes(const office_services& services) {
  return routes_for(
      services, {{"POST", "/api/quotes", body_policy::json, "bookings.view", quote_stay, &quote_operation}});
}

void add_quote_schemas(json::schemas& to) { to.add("Quote", json::schema_of(office_quote_object)); }

} // namespace roost::http
