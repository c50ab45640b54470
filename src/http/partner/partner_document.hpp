#pragma once

#include "domain/platform.hpp"
#include "http/documents/openapi.hpp"

#include <map>
#include <string>
#include <string_view>

namespace roost::http {

/// The description of a 400 that names fields.
inline constexpr std::string_view bad_field = "A field is missing, unknown or invalid";

/// Returns the documentation of an error with an example message; empty: the most frequent one.
constexpr documented_response refusal(unsigned status, std::string_view description,
                                      std::string_view message = {}) {
  return {.status = status, .description = description, .schema = error_schema, .message = message};
}

inline constexpr auto unknown_id = refusal(404, "No unit of the feed has this ID",
                                           "Listing not found for {platform} with externalId unknown");
inline constexpr auto unknown_uuid = refusal(404, "No unit of the feed has this UUID",
                                             "Listing not found for {platform} with listingId unknown");
inline constexpr auto unpriced_unit = refusal(404, "The unit has no usable rent", "Listing not available");
inline constexpr auto unit_elsewhere = refusal(404, "The unit is not in a city that the platform accepts",
                                               "Listing not available: region is not supported");
inline constexpr auto body_too_large = refusal(413, "The body is larger than 1 MiB");
inline constexpr auto body_not_json = refusal(415, "The body is not sent as application/json");
inline constexpr documented_response unchanged{
    304, "Nothing has changed since the If-None-Match of the request", {}};

/// Describes a platform's OpenAPI document, without a webhook that has its own. `base_url` is the server's.
documented_api partner_document(const domain::platform& platform, const std::string& base_url);

/// Whether a platform's webhook has its own document: in one document, a path that begins with the landlord's
/// key and `/listings/{externalId}` are ambiguous. Besides, a different program sends the events.
bool has_webhook_document(const domain::platform& platform);

/// Returns the description of that document.
documented_api webhook_document(const domain::platform& platform, const std::string& base_url);

/// Returns the parameters' values in the demo portfolio; empty for a prefix that it does not have.
std::map<std::string, std::string> demo_examples(std::string_view prefix);

} // namespace roost::http
