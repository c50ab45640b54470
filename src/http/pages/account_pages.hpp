#pragma once

#include "http/pages/pages_api.hpp"

#include <vector>

namespace roost::http {

/// `/account`: the signed-in user, where he is signed in, and his password.
std::vector<route> account_pages(const management_services& services);

} // namespace roost::http
