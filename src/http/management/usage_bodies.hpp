#pragma once

#include "domain/ai_usage.hpp"
#include "json/schema.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// The maximum number of records of a page.
inline constexpr int largest_page_limit = 200;

/// A page of the ledger that is requested.
struct usage_page_query {
  domain::ai_usage_filter filter;
  double page = 1; ///< a whole number of 1 or more, however large
  int limit = 50;  ///< 1 to 200
};

/// Reads the query of a list (Management API, AI usage). Throws bad_request with every message that applies:
/// unknown fields in the order in which they came, then the fields in that section's order.
usage_page_query parse_usage_page_query(std::string_view query);

/// The same of a summary, which knows no pages.
domain::ai_usage_filter parse_usage_summary_query(std::string_view query);

/// Adds the schemas of the query's fields.
void add_usage_query_schemas(json::schemas& to);

/// Reads what a service sends for the ledger: one record, or an array of at most 1000
/// (docs/management-api.md, Adding records). A record without a time was made `now`. Throws bad_request with
/// every message that applies, each with the record's index in the array: `3.cost must not be less than 0`.
std::vector<domain::ai_usage_record>
parse_usage_submission(std::string_view body, domain::timestamp now,
                       const std::function<bool(const domain::uuid&)>& has_account);

void add_usage_submission_schemas(json::schemas& to);

} // namespace roost::http

/// Bodies of the ledger's answers (Management API, AI usage).
namespace roost::http {

std::string usage_page_json(const usage_page_query& wanted, const domain::ai_usage_page& found);

std::string usage_summary_json(const domain::ai_usage_summary& summary);

/// How many of the records that a service sent were taken.
std::string usage_taken_json(std::size_t received, std::size_t taken);

/// Adds the schemas of these bodies.
void add_usage_schemas(json::schemas& to);

} // namespace roost::http
