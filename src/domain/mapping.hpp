#pragma once

#include "domain/platform.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::domain {

/// The parts of an absolute http or https URL that other systems publish or send: a unit's page, a Referer.
/// Only its host, segments and query matter, so equivalent spellings are accepted, such as a fragment or
/// `..`. A web_address, in contrast, is accepted only if every program reads it in the same way.
struct page_url {
  std::string host;                       ///< lower case, without port and trailing dot
  std::vector<std::string_view> segments; ///< of the path, percent-encoded, without empty ones
  std::string_view query;                 ///< percent-encoded, without the question mark
};

/// Parses a URL strictly by RFC 3986; nullopt if it has a user name, a backslash, white space or an invalid
/// host or port. The views point into `url`.
std::optional<page_url> parse_page_url(std::string_view url);

/// Returns whether a host is one of these domains or a subdomain: `www.host.example` is within
/// `host.example`, a look-alike such as `nothost.example` is not.
bool is_within(std::string_view host, const std::vector<std::string>& domains);

/// Returns whether a text is UTF-8 of 1 to 256 characters, none a control (Partner API, Limits: externalId).
bool is_external_id(std::string_view text);

/// Returns whether the platform can return the ID unchanged. Marketplace D and the booking engine separate
/// property and room at an underscore: their IDs have none, or one with a part on each side (Partner API,
/// Full-feed objects).
bool is_external_id_of(const platform& platform, std::string_view id);

/// Returns why the platform cannot return the ID unchanged, as the rest of a sentence that starts with the
/// field's name; empty if it can.
std::string_view link_problem(const platform& platform, std::string_view id);

/// Returns the first part of an ID `<property_id>_<room_id>`; nullopt if the ID has no room.
std::optional<std::string_view> property_part(std::string_view external_id);

/// Why a landlord's URL identifies no unit, as the rest of a sentence that starts with the field's name.
struct mapping_problem {
  std::string text;
};

/// Extracts the platform's ID of a unit from the URL that a landlord pasted (Partner API, Unit mapping
/// record). Bare IDs and URLs outside the platform's domains are problems.
std::variant<std::string, mapping_problem> external_id_from_url(const platform& platform,
                                                                std::string_view url);

} // namespace roost::domain
