#pragma once

#include "domain/ai_usage.hpp"
#include "http/management/usage_query.hpp"
#include "json/schema.hpp"

#include <cstddef>
#include <string>

/// Bodies of the ledger's responses (Management API, AI usage).
namespace roost::http {

std::string usage_page_json(const usage_page_query& wanted, const domain::ai_usage_page& found);

std::string usage_summary_json(const domain::ai_usage_summary& summary);

/// Returns how many of the records that a service sent were accepted.
std::string usage_taken_json(std::size_t received, std::size_t taken);

/// Adds the schemas of all these.
void add_usage_schemas(json::schemas& to);

} // namespace roost::http
