#pragma once

#include "domain/platform.hpp"
#include "http/documents/openapi.hpp"
#include "http/documents/openapi_errors.hpp"

#include <map>
#include <string>
#include <string_view>

namespace roost::http {

/// The description of a 400 that names fields.
inline constexpr std::string_view bad_field = "A field is missing, unknown or invalid";

// Reasons for which a unit is not found, for OpenAPI documents.
inline constexpr documented_response unknown_id{
    .status = 404,
    .description = "No unit of the feed has this ID",
    .schema = "Error",
    .message = "Listing not found for {platform} with externalId unknown"};
inline constexpr documented_response unknown_uuid{
    .status = 404,
    .description = "No unit of the feed has this UUID",
    .schema = "Error",
    .message = "Listing not found for {platform} with listingId unknown"};
inline constexpr documented_response unpriced_unit{.status = 404,
                                                   .description = "The unit has no usable rent",
                                                   .schema = "Error",
                                                   .message = "Listing not available"};
inline constexpr documented_response unit_elsewhere{
    .status = 404,
    .description = "The unit is not in a city that the platform accepts",
    .schema = "Error",
    .message = "Listing not available: region is not supported"};

/// Returns the description of a platform's OpenAPI document, without a webhook that has its own. `base_url`
/// is the server's.
documented_api partner_document(const domain::platform& platform, const std::string& base_url);

/// Whether a platform's webhook has its own document: in one document, a path that begins with the landlord's
/// key and `/listings/{externalId}` are ambiguous. Besides, a different program sends the events.
bool has_webhook_document(const domain::platform& platform);

/// Returns the description of that document.
documented_api webhook_document(const domain::platform& platform, const std::string& base_url);

/// Returns the parameters' values in the demo portfolio; empty for a prefix that is not in the shipped
/// configuration.
std::map<std::string, std::string> demo_examples(std::string_view prefix);

} // namespace roost::http
