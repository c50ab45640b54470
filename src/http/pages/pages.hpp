#pragma once

#include "http/pages/pages_api.hpp"
#include "http/protocol/router.hpp"

#include <string_view>
#include <vector>

namespace roost::http {

/// `/sign-in` and the steps that follow: the emailed code, another code.
std::vector<route> sign_in_pages(const management_services& services);

/// `/account`: the signed-in user, where he is signed in, and his password.
std::vector<route> account_pages(const management_services& services);

/// `/forgot-password`, and `/reset-password`, where the mailed link leads.
std::vector<route> password_pages(const management_services& services);

/// `/account/ai-usage`: what the account used of AI models, as a picture, as tables, and as CSV.
std::vector<route> usage_pages(const management_services& services);

/// What the pages load: style, script and icon.
std::vector<route> page_assets();

} // namespace roost::http
