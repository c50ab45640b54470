#pragma once

#include "http/protocol/router.hpp"
#include "json/schema.hpp"

#include <functional>
#include <map>
#include <string>
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

/// Returns `GET /<prefix>-json`, which serves the routes' document without credentials.
route openapi_route(const documented_api& api, const std::vector<route>& routes);

} // namespace roost::http
