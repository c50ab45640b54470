#pragma once

#include "actors/office/stay_resources.hpp"
#include "http/json/query_reader.hpp"
#include "http/office/lists.hpp"
#include "http/office/office_api.hpp"

#include <optional>
#include <string>
#include <string_view>

/// What the routes about stays have in common.
namespace roost::http {

/// Returns whether the caller may see tenants' names.
bool may_see_tenants(const office_services& services, const request& req);

/// Reads the cursor of a list that has the newest items first.
std::optional<store::moment_place> read_moment_place(query_reader& query);

/// Returns the cursor of such a list after an item.
std::string cursor_after(const store::moment_place& last);

/// Reads a UUID of a query.
std::optional<domain::uuid> parse_id(std::string_view text);

} // namespace roost::http
