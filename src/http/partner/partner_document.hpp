#pragma once

#include "domain/platform.hpp"
#include "http/documents/openapi.hpp"
#include "http/documents/openapi_errors.hpp"

#include <map>
#include <string>
#include <string_view>

namespace roost::http {

/// What a 400 means that names fields.
inline constexpr std::string_view bad_field = "A field is missing, unknown, or not what it should be";

// Why a unit is not found, as documents tell it.
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
    .description = "The unit is in no city that the platform accepts",
    .schema = "Error",
    .message = "Listing not available: region is not supported"};

/// What a platform's OpenAPI document says of all its routes, but for a webhook that is told apart.
/// `base_url` is where the server is.
documented_api partner_document(const domain::platform& platform, const std::string& base_url);

/// Whether a platform's webhook has a document of its own: a path that begins with the landlord's key is
/// ambiguous beside `/listings/{externalId}` in one document. Who sends events is another program, too.
bool has_webhook_document(const domain::platform& platform);

/// What that document says of all its routes.
documented_api webhook_document(const domain::platform& platform, const std::string& base_url);

/// Parameters with values that the demo portfolio has. None for a prefix that the shipped configuration does
/// not have.
std::map<std::string, std::string> demo_examples(std::string_view prefix);

} // namespace roost::http
