#pragma once

#include "http/protocol/router.hpp"
#include "json/schema.hpp"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// The parts of an OpenAPI document that apply to all routes of its prefix.
struct documented_api {
  std::string prefix;        ///< of the routes, without a slash; empty if they have none
  std::string name = prefix; ///< of the document and its explorer
  std::string title, description;
  bool wants_token = true;        ///< a partner token, or an access token
  bool takes_webhook_key = false; ///< `x-api-key` as an alternative to the token
  std::string_view token_help = "Your token, without the word Bearer";
  std::string server_url; ///< the routes' base URL, without a trailing slash
  std::string platform;   ///< replaces `{platform}` in error messages
  /// Errors that every operation can return; they replace the common errors of the same status.
  std::vector<documented_response> errors;
  /// Example values from the demo portfolio, for parameters and for body fields of the same name.
  std::map<std::string, std::string> examples;
  /// Descriptions of path parameters; a parameter without one is an error.
  std::map<std::string, std::string_view> parameters;
  /// Adds the schemas that operations name, and the schemas that those refer to.
  std::function<void(json::schemas&)> schemas;
};

/// Returns the OpenAPI 3.1 document of a prefix, generated from its routes. Routes without an operation are
/// left out.
std::string openapi_document(const documented_api& api, const std::vector<route>& routes);

/// Returns `GET /<prefix>-json`, which serves the routes' document without credentials. The document is
/// generated when it is first requested.
route openapi_route(const documented_api& api, const std::vector<route>& routes);

/// The schema of every error.
inline constexpr std::string_view error_schema = "Error";

/// The 503 that every route can return.
inline constexpr documented_response busy_response{503, "The service is busy: try again after Retry-After",
                                                   error_schema};

/// Errors that every operation of a document can return.
inline constexpr std::array common_errors{
    documented_response{400, "The request or a field is malformed", error_schema},
    documented_response{401, "The credentials are missing or invalid", error_schema},
    documented_response{500, "An unexpected failure", error_schema},
    busy_response,
};

/// Returns `GET /<prefix>`, to be mounted at a prefix with OpenAPI documents: the interactive explorer
/// (Partner API, Conventions). It shows the first document and offers the others. Its Content-Security-Policy
/// allows requests to this server only. It needs no credentials, like the documents. Empty in a build without
/// the explorer.
std::vector<route> explorer_page(const std::vector<documented_api>& documents);

/// Returns `GET /explorer/…`: the page's assets, shared by all prefixes: Swagger UI with its licenses, and a
/// script that points it at the prefix's documents.
std::vector<route> explorer_parts();

} // namespace roost::http
