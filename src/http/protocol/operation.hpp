#pragma once

#include <string_view>
#include <vector>

namespace roost::http {

/// One answer of an operation, as its prefix's OpenAPI document tells it.
struct documented_response {
  unsigned status = 200;
  std::string_view description;
  std::string_view schema;         ///< a name in the document's components; empty: no body
  bool list = false;               ///< an array of it
  std::string_view text_type = {}; ///< in place of a schema: a text of this media type
  /// Of an error: what the example says, with `{platform}` for the platform's name; empty: what is usual.
  std::string_view message = {};
};

/// A header field that an operation needs.
struct documented_header {
  std::string_view name, description;
};

/// A field of the query that an operation may be given.
struct documented_query {
  std::string_view name, description;
  std::string_view schema; ///< a name in the document's components
};

/// What the OpenAPI document says of a route, beside what follows from the route itself. Errors that every
/// route can answer are added there.
struct operation {
  std::string_view id;      ///< unique in a document: what generated clients call it
  std::string_view summary; ///< one sentence
  std::string_view body_schema = {};
  std::vector<documented_response> answers; ///< errors of one status are told together, with an example each
  std::vector<documented_header> headers = {};
  std::vector<documented_query> queries = {};
  bool is_open = false; ///< needs no token, where others of the document do
};

} // namespace roost::http
