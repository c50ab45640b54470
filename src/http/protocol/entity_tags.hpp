#pragma once

#include "http/protocol/message.hpp"
#include "security/digest.hpp"

#include <string>
#include <string_view>

/// Entity tags (RFC 9110, 8.8.3) and the conditions that name them (RFC 9110, 13.1).
namespace roost::http {

/// Returns the strong tag of a text, with its quotes: equal texts have equal tags.
std::string entity_tag_of(std::string_view text);
/// The same for the text with this digest.
std::string entity_tag_of(const security::sha256_digest& of_text);

/// Whether the client already has the representation with `tag` (with its quotes): If-None-Match lists it,
/// weak or strong, or is `*` (RFC 9110, 13.1.2). GET and HEAD must then be answered with 304.
bool not_modified(const request& req, std::string_view tag);

/// The condition of a request: If-Match lists entity tags, or is `*`.
struct if_match {
  bool is_present = false;
  std::string value;

  /// Returns whether a tag fulfills it, by strong comparison (RFC 9110, 13.1.1).
  bool matches(std::string_view tag) const;
  /// Returns the first tag in it, with its quotes; empty if there is none.
  std::string_view first_tag() const;
};

if_match if_match_of(const request& req);

} // namespace roost::http
