#pragma once

#include "http/pages/pages_api.hpp"

#include <string>
#include <string_view>

namespace roost::http {

/// Why a password cannot be set, as a page says it; empty when it can (Management API, Limits).
std::string refusal_of_password(std::string_view password);

/// To the page for signing in: a new password has ended all sessions, and no browser is remembered.
response after_new_password(const pages_api& api);

} // namespace roost::http
