#pragma once

#include "domain/booking_terms.hpp"

#include <string>
#include <string_view>

/// A booking's terms as the JSON of their column: they have no identity of their own, and are read as a
/// whole.
namespace roost::store {

std::string json_of(const domain::booking_terms& terms);

/// Throws failure when the column does not hold what was written.
void read_json(std::string_view json, domain::booking_terms& into);

} // namespace roost::store
