#pragma once

#include "domain/platform.hpp"
#include "http/protocol/router.hpp"

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
  bool accounts_move = false;     ///< away from it: 410
  std::string_view token_help = "Your token, without the word Bearer";
};

documented_api api_of(const domain::platform& platform);

/// The OpenAPI 3.1 document of a prefix, made of its routes: what is not in their table is not in the
/// document. Routes without an operation are left out.
std::string openapi_document(const documented_api& of, const std::vector<route>& routes);

/// `GET /<prefix>-json`: the document of these routes; without credentials.
route openapi_route(const documented_api& of, const std::vector<route>& routes);

} // namespace roost::http
