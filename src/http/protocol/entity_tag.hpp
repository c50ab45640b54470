#pragma once

#include <string>
#include <string_view>

namespace roost::http {

struct request;

/// The strong entity tag of a text (RFC 9110, 8.8.3), with its quotes: equal texts have equal tags.
std::string entity_tag_of(std::string_view text);

/// Whether the client has what `tag` (with its quotes) names: If-None-Match holds it, weak or strong, in a
/// list or not, or is `*` (RFC 9110, 13.1.2). Then 304 is the answer to GET and HEAD.
bool not_modified(const request& req, std::string_view tag);

} // namespace roost::http
