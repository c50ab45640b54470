#pragma once

#include "domain/ai_usage.hpp"
#include "json/schema.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace roost::http {

/// Reads what a service sends for the ledger: one record, or an array of at most 1000
/// (docs/management-api.md, Adding records). A record without a time was made `now`. Throws bad_request with
/// every message that applies, each with the record's index in the array: `3.cost must not be less than 0`.
std::vector<domain::ai_usage_record>
parse_usage_submission(std::string_view body, domain::timestamp now,
                       const std::function<bool(const domain::uuid&)>& has_account);

void add_usage_submission_schemas(json::schemas& to);

} // namespace roost::http
