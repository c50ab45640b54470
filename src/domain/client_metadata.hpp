#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// What clients of the connector say of themselves (Management API, OAuth client registration), as it is
/// kept.
namespace roost::domain {

inline constexpr std::array<std::string_view, 2> client_grant_types{"authorization_code", "refresh_token"};

/// In one line of at most 255 characters.
std::string kept_client_name(std::string_view name);

/// Those that there are, each once and in their order; all of them where none would be left.
std::vector<std::string> kept_grant_types(const std::vector<std::string>& wanted);

} // namespace roost::domain
