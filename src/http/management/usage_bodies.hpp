#pragma once

#include "domain/ai_usage.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

inline constexpr int max_page_limit = 200;

/// A request for a page of the ledger.
struct usage_page_query {
  domain::ai_usage_filter filter;
  double page = 1; ///< a whole number of 1 or more, however large
  int limit = 50;  ///< 1 to 200
};

/// Reads the query of a list (Management API, AI usage). Throws bad_request with every message that applies:
/// unknown fields in the order received, then the fields in that section's order.
usage_page_query parse_usage_page_query(std::string_view query);

/// A request for a summary of the ledger.
struct usage_summary_query {
  domain::ai_usage_filter filter;
  std::optional<domain::ai_usage_grouping> group_by; ///< nullopt: without groups
};

/// Reads the query of a summary, which has no pages. Throws the same.
usage_summary_query parse_usage_summary_query(std::string_view query);

/// Reads what a service sends for the ledger: one record, or an array of at most 1000
/// (docs/management-api.md, Adding records). `now` is the time of a record without one. Throws bad_request
/// with every message that applies, each with the record's index in the array: `3.cost must not be less than
/// 0`.
std::vector<domain::ai_usage_record>
parse_usage_submission(std::string_view body, domain::timestamp now,
                       const std::function<bool(const domain::uuid&)>& has_account);

// The bodies of the ledger's responses (Management API, AI usage).

std::string usage_page_json(const usage_page_query& query, const domain::ai_usage_page& page);

std::string usage_summary_json(const domain::ai_usage_summary& summary);

/// Returns the numbers of records that a service sent, and of those that were accepted.
std::string usage_accepted_json(std::size_t received, std::size_t accepted);

} // namespace roost::http
