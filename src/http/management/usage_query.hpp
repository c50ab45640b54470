#pragma once

#include "domain/ai_usage.hpp"
#include "json/schema.hpp"

#include <string_view>

namespace roost::http {

/// Most records of a page.
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

} // namespace roost::http
