#pragma once

#include <string>
#include <string_view>

namespace roost::domain {

/// A browser as people know it, from its User-Agent: `Firefox on Windows`. Of programs that are no browser
/// the product (`curl`), and `Unknown browser` for what says nothing that can be shown.
std::string browser_name(std::string_view user_agent);

} // namespace roost::domain
