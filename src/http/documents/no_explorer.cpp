#include "http/documents/openapi.hpp"

/// Replaces explorer.cpp in a build with ROOST_EXPLORER=OFF.
namespace roost::http {

std::vector<route> explorer_page(const std::vector<documented_api>&) { return {}; }

std::vector<route> explorer_parts() { return {}; }

} // namespace roost::http
