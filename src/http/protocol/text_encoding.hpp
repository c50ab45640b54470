#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// UTF-8, percent-encoding, and parsers for application/x-www-form-urlencoded (URL Standard, 5.1): a strict
/// one for forms and a lenient one for queries.
namespace roost::http {

bool is_utf8(std::string_view text);

/// Replaces every byte that is not part of well-formed UTF-8 by U+FFFD.
std::string to_utf8(std::string_view text);

/// Removes the percent-encoding (RFC 3986, 2.1); nullopt if it is malformed or the result is not UTF-8.
std::optional<std::string> percent_decoded(std::string_view text);

/// Escapes everything except the unreserved characters, which are allowed anywhere in a URL (RFC 3986, 2.3).
std::string percent_encoded(std::string_view text);

/// The fields of a form by name.
using form_fields = std::map<std::string, std::string, std::less<>>;

inline constexpr std::size_t max_form_size = 32 * 1024; ///< bytes
inline constexpr std::size_t max_form_fields = 64;

/// Parses a form, from a body or a query, more strictly than the standard: escapes must be complete, names
/// and values must be UTF-8 without NUL, and a name may occur only once. A field without an equals sign is
/// empty. A byte order mark before the form and line ends after it, which tools add, are ignored. For forms
/// of pages and for anything that decides about access, where an ambiguous text would be a vulnerability.
/// Throws bad_request, and payload_too_large() above the limits.
form_fields read_form(std::string_view text);

/// A name in a query with all its values.
struct query_field {
  std::string name;
  std::vector<std::string> values; ///< in their order; at least one
};

/// Parses a query as leniently as Node's servers: names in the order of their first occurrence, nothing
/// between two ampersands is skipped, a field without an equals sign is empty, and malformed percent-encoding
/// is taken literally. For filters of programs; decisions about access must use read_form().
std::vector<query_field> read_query(std::string_view query);

/// Parses a value as JavaScript's Number(): `0x10` is 16, an empty text 0, `1e400` infinity; NaN if invalid.
double js_number(std::string_view text);

} // namespace roost::http
