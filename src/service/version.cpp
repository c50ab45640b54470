#include "service/version.hpp"

namespace roost {

std::string_view program_version() { return ROOST_VERSION; }

std::string_view program_build() { return ROOST_BUILD; }

} // namespace roost
