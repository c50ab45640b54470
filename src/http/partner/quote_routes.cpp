#include "http/json/query_reader.hpp"
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/partner/quote_object.hpp"
#include "json/object.hpp"

#include <algorithm>
#include <utility>

/// What a booking would cost a platform's guest, and whether it would be made now.
namespace roost::http {

namespace {

std::optional<domain::money> parse_payment(std::string_view text) {
  const auto payment = domain::parse_money(text);
  if (!payment || *payment < domain::money{0} || *payment >= domain::amount_limit) return std::nullopt;
  return payment;
}

domain::requested_stay read_stay(std::string_view text, domain::date today) {
  constexpr std::string_view day_rule = " must be a real date written YYYY-MM-DD";
  query_reader query(text, {"checkInDate", "checkOutDate", "occupants", "platformProviderPaymentValue"});
  const auto check_in = query.required_value("checkInDate", domain::parse_date, day_rule);
  const auto check_out = query.required_value("checkOutDate", domain::parse_date, day_rule);
  if (check_in && check_out)
    if (const auto* problem = problem_of_stay(*check_in, *check_out)) query.refuse(problem);
  const auto occupants = query.count("occupants", domain::max_capacity, 1);
  const auto payment = query.value("platformProviderPaymentValue", parse_payment,
                                   " must be a number of at least 0 and less than 100000000");
  query.throw_if_refused();
  return {*check_in, *check_out, static_cast<int>(occupants), payment, today};
}

/// Without a stated payment, a quote is about a booking that states a sufficient one.
void ignore_missing_payment(domain::stay_decision& decision) {
  std::erase(decision.refusals, domain::refusal::provider_payment_missing);
}

asio::awaitable<response> read_quote(const platform_api& api, request& req) {
  const auto stay = read_stay(req.query, domain::day_of(api.services.now()));
  const auto& id = req.parameters.front();
  const auto directory = api.directory();
  const auto* unit = find_listed_unit(api, *directory, id);
  if (!unit) throw listing_not_found(api.platform, id);
  actors::read_quote message{api.index, stay};
  auto quoted = co_await ask_calendar<actors::quote_response>(*unit, std::move(message));
  if (!quoted) throw listing_not_found(api.platform, id);
  require_published(quoted->publication, api.platform, id);
  if (!stay.provider_payment) ignore_missing_payment(quoted->quote->decision);
  std::string text;
  portfolio::write_on_one_line(text, quote_object, view_of(*std::move(quoted->quote), stay.check_out),
                               portfolio::writing{.defaults = true});
  co_return json(200, std::move(text));
}

operation quote_operation(std::vector<documented_response> refusals) {
  operation quote{
      .id = "readQuote",
      .summary = "What a stay costs, and whether a booking would be made now",
      .tag = extension_tag,
      .queries = {{"checkInDate", "The first night, YYYY-MM-DD", "QuoteDay", "2027-02-01"},
                  {"checkOutDate", "The check-out day, after checkInDate", "QuoteDay", "2027-05-01"},
                  {"occupants", "All occupants, the lead tenant included; missing: one", "QuoteOccupants"},
                  {"platformProviderPaymentValue",
                   "What you would collect and pay to the landlord, as in a booking; missing: what the "
                   "platform may leave out is derived from the rent, otherwise the plan has no line for it",
                   "QuotePayment"}}};
  quote.responses = std::move(refusals);
  quote.responses.insert(quote.responses.begin(), {200, "The quote as of now", "Quote"});
  return quote;
}

} // namespace

std::vector<route> listing_quote_routes(const platform_api& api) {
  return {{"GET", "/listings/{externalId}/quote", body_policy::none, api.checks(), with(api, read_quote),
           &live_operation_of<quote_operation>(api.traits())}};
}

void add_quote_response_schemas(json::schemas& to) {
  to.add("Quote", json::schema_of(quote_object));
  to.add("QuoteDay", json::schema{{.type = "string", .format = "date"}});
  to.add("QuoteOccupants",
         json::schema{{.type = "integer", .minimum = 1, .maximum = domain::max_capacity, .initial = "1"}});
  to.add("QuotePayment", json::schema{{.type = "number", .minimum = 0}});
}

} // namespace roost::http
