#pragma once

#include "http/pages/pages_api.hpp"

#include <vector>

namespace roost::http {

/// `/sign-in` and the steps that follow: the emailed code, another code.
std::vector<route> sign_in_pages(const management_services& services);

} // namespace roost::http
