#pragma once

#include "domain/date.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

/// Times and counts as people write them.
namespace roost::domain {

/// `1 February 2027`.
std::string written_out(date day);

/// `1 February 2027, 09:30 UTC`.
std::string written_out(timestamp moment);

/// `10 minutes`, `1 hour`, `90 seconds`.
std::string written_out(std::chrono::seconds time);

/// `1 person`, `2 people`.
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

} // namespace roost::domain
