#pragma once

#include "http/pages/pages_api.hpp"

#include <vector>

namespace roost::http {

/// `/forgot-password`, and `/reset-password`, where the mailed link leads.
std::vector<route> password_pages(const management_services& services);

} // namespace roost::http
