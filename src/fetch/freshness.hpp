#pragma once

#include <chrono>
#include <string_view>

namespace roost::fetch {

/// How long a response may still be used that came with these values of Cache-Control and Age (RFC
/// 9111, 4.2). Several lines of Cache-Control are joined with commas. 0 where nothing is said, or where it
/// may not be kept.
std::chrono::seconds freshness_of(std::string_view cache_control, std::string_view age);

} // namespace roost::fetch
