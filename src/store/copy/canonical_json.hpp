#pragma once

#include <string>
#include <string_view>

namespace roost::store {

/// Without spaces between its parts; nothing else changes. Throws failure for what is no JSON.
std::string compact_json(std::string_view text);

/// The same text for all that mean the same: the members of an object in the order of their names, of two of
/// one name the last, and numbers as their digits and an exponent. Throws failure for what is no JSON.
std::string canonical_json(std::string_view text);

} // namespace roost::store
