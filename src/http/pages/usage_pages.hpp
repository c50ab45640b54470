#pragma once

#include "http/pages/pages_api.hpp"

#include <string_view>
#include <vector>

namespace roost::http {

/// `/account/ai-usage`: what the account used of AI models, as a picture, as tables, and as CSV.
std::vector<route> usage_pages(const management_services& services);

} // namespace roost::http
