#pragma once

#include <cstddef>
#include <string_view>

namespace roost::domain {

/// The length of the well-formed UTF-8 sequence (RFC 3629) at the front of `text` that starts with a byte
/// above ASCII; 0 when there is none. What does not print but acts counts as none: C1 controls, the
/// separators U+2028 and U+2029, which some viewers break lines at, and what turns the writing direction
/// (U+202A to U+202E, U+2066 to U+2069), which makes a line look like another one.
std::size_t printable_sequence(std::string_view text);

} // namespace roost::domain
