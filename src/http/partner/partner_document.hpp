#pragma once

#include "domain/platform.hpp"
#include "http/documents/openapi.hpp"

#include <map>
#include <string>
#include <string_view>

namespace roost::http {

/// What a 400 means that names fields.
inline constexpr std::string_view bad_field = "A field is missing, unknown, or not what it should be";

/// What a platform's OpenAPI document says of all its routes. `base_url` is where the server is.
documented_api partner_document(const domain::platform& platform, const std::string& base_url);

/// Parameters with values that the demo portfolio has. None for a prefix that the shipped configuration does
/// not have.
std::map<std::string, std::string> demo_examples(std::string_view prefix);

} // namespace roost::http
