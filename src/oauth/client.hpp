#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// The stored metadata of OAuth clients (Management API, OAuth client registration).
namespace roost::oauth {

inline constexpr std::array<std::string_view, 2> client_grant_types{"authorization_code", "refresh_token"};

/// Returns a client's name as one line of at most 255 visible characters.
std::string stored_client_name(std::string_view name);

/// Returns the supported ones of the requested grant types, in the order of client_grant_types, or else all.
std::vector<std::string> stored_grant_types(const std::vector<std::string>& requested);

} // namespace roost::oauth
