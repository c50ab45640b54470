#include "domain/date.hpp"
#include "domain/storable_text.hpp"
#include "fuzz/support/described.hpp"
#include "fuzz/support/json.hpp"
#include "fuzz/support/target.hpp"
#include "http/management/usage_bodies.hpp"
#include "http/pages/usage_report.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/text_encoding.hpp"

#include <chrono>
#include <cmath>
#include <optional>
#include <string>

/// Queries of the AI usage ledger: those of the management API, and the one of its page.
namespace roost::fuzz::usage_query {
namespace {

/// Calls `read`; nullopt if it refuses the query, whose refusal must be JSON.
template <typename Read>
auto accepted(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const http::error& refusal) {
    require(refusal.status == 400 || refusal.status == 413, "a query is refused with 400 or 413");
    require(reformatted(http::to_response(refusal).body).has_value(), "the response of a refusal is JSON");
    return std::nullopt;
  }
}

std::string described(const domain::ai_usage_filter& filter) {
  description text;
  text.add(filter.from).add(filter.to).add(filter.feature.has_value());
  return text.add(filter.feature ? domain::to_string(*filter.feature) : "").take();
}

/// Returns a query with the same fields, encoded differently.
std::string rewritten(std::string_view query) {
  std::string text;
  for (const auto& field : http::read_query(query))
    for (const auto& value : field.values)
      text.append("&&")
          .append(http::percent_encoded(field.name))
          .append("=")
          .append(http::percent_encoded(value));
  return text;
}

void check_ledger(std::string_view query) {
  const auto page = accepted([&] { return http::parse_usage_page_query(query); });
  const auto summary = accepted([&] { return http::parse_usage_summary_query(query); });
  if (summary) {
    require(page.has_value() != summary->group_by.has_value(), "only the summary can be grouped");
    require(!page || described(page->filter) == described(summary->filter), "both have the same filter");
  }
  if (!page) return;
  require(page->page >= 1 && std::isfinite(page->page) && page->page == std::trunc(page->page),
          "a page is a whole number of at least 1");
  require(page->limit >= 1 && page->limit <= http::max_page_limit, "the number of records is limited");
  require(reformatted(http::usage_page_json(*page, {})).has_value(), "the response is JSON");
  if (!domain::is_storable(query)) return; // other bytes have no percent-encoding
  const auto again = accepted([&] { return http::parse_usage_page_query(rewritten(query)); });
  require(again && described(again->filter) == described(page->filter) && again->page == page->page &&
              again->limit == page->limit,
          "the form of a query does not matter");
}

void check_page(std::string_view query) {
  const auto today = domain::date_of(std::chrono::year{2026} / 11 / 20);
  const auto period = accepted([&] { return http::read_usage_period(query, today); });
  if (!period) return;
  require(period->from <= period->to, "a period has a day");
  const auto again = accepted([&] { return http::read_usage_period(period->query(), today); });
  require(again && again->query() == period->query(), "a written period is read as the same");
  const auto steps = http::steps_of(*period, {}).steps.size();
  require(steps >= 1 && steps <= 100, "a chart has a limited number of columns");
}

void check(std::string_view input) {
  check_ledger(input);
  check_page(input);
}

const target registered{"usage_query", "QueriesOfTheLedgerAreReadInAnyForm", check};

} // namespace
} // namespace roost::fuzz::usage_query
