#include "actors/runtime/ask.hpp"
#include "http/management/management_api.hpp"
#include "http/management/usage_bodies.hpp"

#include <cstdint>
#include <limits>

namespace roost::http {

namespace {

actors::usage_selection selection_for(const request& req, const domain::ai_usage_filter& filter) {
  return {caller_of(req).user->account_id, filter};
}

/// Returns the number of records on earlier pages.
std::int64_t skipped(const usage_page_query& query) {
  const double count = (query.page - 1) * query.limit;
  constexpr auto max = std::numeric_limits<std::int64_t>::max();
  return count < static_cast<double>(max) ? static_cast<std::int64_t>(count) : max;
}

asio::awaitable<response> list_usage(const management_services& services, request& req) {
  const auto query = parse_usage_page_query(req.query);
  auto selection = selection_for(req, query.filter);
  const auto page = co_await services.usage.page(std::move(selection), skipped(query), query.limit);
  co_return json(200, usage_page_json(query, page));
}

asio::awaitable<response> summarize_usage(const management_services& services, request& req) {
  const auto query = parse_usage_summary_query(req.query);
  auto selection = selection_for(req, query.filter);
  const auto summary = co_await services.usage.summary(std::move(selection), query.group_by);
  co_return json(200, usage_summary_json(summary));
}

/// Responds without waiting for the store.
asio::awaitable<response> add_usage(const management_services& services, request& req) {
  actors::record_usage message{parse_usage_submission(req.body, services.now(), services.has_account)};
  const auto received = message.records.size();
  const auto accepted = co_await actors::ask(services.usage_recorder, std::move(message));
  co_return json(202, usage_accepted_json(received, accepted.count));
}

/// Returns the checks of the route that accepts only services with a usage key.
entry_rule service_checks(const management_services& services) {
  auto entry = public_checks(services, "ai_usage_records", services.limits.management, "a usage key");
  entry.checks.emplace_back([&services](request& req) {
    require_bearer_key(*services.live_keys, security::key_kind::usage, req, services.now());
  });
  entry.of_partners = true;
  return entry;
}

const documented_query from{"from", "The earliest moment of createdAt, inclusive", "DateTime"},
    to{"to", "The latest moment of createdAt, inclusive", "DateTime"},
    feature{"feature", "Only this feature", "AiFeature"},
    group_by{"groupBy", "Adds groups by user, or by day in UTC", "AiUsageGrouping"};

const operation list_operation{.id = "listAiUsage",
                               .summary = "Returns the account's records of AI model calls, newest first",
                               .responses = {{200, "A page of records", "AiUsagePage"},
                                             {403, "The role lacks account_settings.module", "Error"}},
                               .queries = {from,
                                           to,
                                           feature,
                                           {"page", "The number of the page, from 1", "PageNumber"},
                                           {"limit", "The maximum number of records per page", "PageLimit"}}};
const operation summary_operation{
    .id = "summarizeAiUsage",
    .summary = "Returns the tokens and costs of the account's AI model calls",
    .responses = {{200, "The totals, and the breakdown by feature and model", "AiUsageSummary"},
                  {403, "The role lacks account_settings.module", "Error"}},
    .queries = {from, to, feature, group_by}};
const operation records_operation{
    .id = "addAiUsageRecords",
    .summary = "Accepts records of AI model calls from another service, which sends its usage key as the "
               "Bearer token",
    .body_schema = "AiUsageSubmission",
    .responses = {{202, "The number of accepted records, which are written in the background",
                   "AiUsageTaken"},
                  {413, "The body is larger than 1 MiB", "Error"},
                  {415, "The body is not sent as application/json", "Error"}},
    .is_open = true};

} // namespace

std::vector<route> usage_routes(const management_services& services) {
  using enum body_policy;
  std::vector<route> routes{
      {"GET", "/ai-usage", none, management_checks(services, usage_permission),
       bound_to(services, list_usage), &list_operation},
      {"GET", "/ai-usage/summary", none, management_checks(services, usage_permission),
       bound_to(services, summarize_usage), &summary_operation},
      {"POST", "/ai-usage/records", body_policy::json, service_checks(services),
       bound_to(services, add_usage), &records_operation},
  };
  respond_as_writer(services.lease, routes);
  return routes;
}

} // namespace roost::http
