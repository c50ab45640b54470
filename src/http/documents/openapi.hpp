#pragma once

#include "http/protocol/router.hpp"
#include "json/schema.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace roost::http {

/// What a document says of all routes of its prefix.
struct documented_api {
  std::string prefix;        ///< of the routes, without a slash; empty: they have none
  std::string name = prefix; ///< of the document and its explorer
  std::string title, description;
  bool wants_token = true;        ///< a partner token, or an access token
  bool takes_webhook_key = false; ///< `x-api-key` in place of the token
  std::string_view token_help = "Your token, without the word Bearer";
  std::string server_url; ///< where the routes are, without a slash at the end
  std::string platform;   ///< what `{platform}` in the message of an error stands for
  /// What every operation can answer with, in place of the common errors of the same status.
  std::vector<documented_response> errors;
  /// Values of parameters, and of the fields of bodies with the same name, that the demo portfolio has.
  std::map<std::string, std::string> examples;
  /// What the parameters in paths are; one that is not described is an error.
  std::map<std::string, std::string_view> parameters;
  /// Adds the schemas that operations name, and those that these refer to.
  std::function<void(json::schemas&)> schemas;
};

/// The OpenAPI 3.1 document of a prefix, made of its routes: what is not in their table is not in the
/// document. Routes without an operation are left out.
std::string openapi_document(const documented_api& of, const std::vector<route>& routes);

/// `GET /<prefix>-json`: the document of these routes; without credentials.
route openapi_route(const documented_api& of, const std::vector<route>& routes);

} // namespace roost::http
