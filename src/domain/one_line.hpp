#pragma once

#include <string>
#include <string_view>

namespace roost::domain {

/// Text for one line: a run of spaces and of what does not print (printable_sequence()) becomes one space, at
/// the ends nothing. What other people wrote goes through this before it stands in a subject or on a
/// terminal.
std::string one_line(std::string_view text);

} // namespace roost::domain
