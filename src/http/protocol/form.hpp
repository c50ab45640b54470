#pragma once

#include <map>
#include <string>
#include <string_view>

namespace roost::http {

/// The fields of a form by name.
using form_fields = std::map<std::string, std::string, std::less<>>;

/// The longest form that is read, in bytes.
inline constexpr std::size_t longest_form = 32 * 1024;
/// The most fields that a form may have.
inline constexpr std::size_t max_form_fields = 64;

/// Reads what application/x-www-form-urlencoded says (URL Standard, 5.1), as a body or as a query, and more
/// strictly than the standard: escapes must be whole, names and values UTF-8 without NUL, a name comes once.
/// A field without an equals sign is empty. For forms of pages and for what decides about access, where two
/// readings of one text would be a hole; filters of the routes that return JSON are read by read_query().
/// Throws bad_request, and payload_too_large() above the bounds.
form_fields read_form(std::string_view text);

} // namespace roost::http
