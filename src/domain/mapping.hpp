#pragma once

#include "domain/platform.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::domain {

/// An absolute http or https URL, cut into what the service needs of it.
struct web_url {
  std::string host;                       ///< lower case, without port and trailing dot
  std::vector<std::string_view> segments; ///< of the path, still percent-encoded, empty ones left out
  std::string_view query;                 ///< without the question mark, still percent-encoded
};

/// Cuts a URL by RFC 3986, strictly: a user name, a backslash, white space or an impossible host or port
/// makes it none. The views point into `url`.
std::optional<web_url> parse_web_url(std::string_view url);

/// Whether a host is one of these domains or below one: `www.host.example` is within `host.example`, a
/// look-alike such as `nothost.example` is not.
bool is_within(std::string_view host, const std::vector<std::string>& domains);

/// Whether text is UTF-8 of 1 to 256 characters without control characters (Partner API, Limits: externalId).
bool is_external_id(std::string_view text);

/// Whether the platform can give the ID back. Marketplace D and the booking engine part the property from the
/// room at an underscore: an ID of theirs has none, or one with a part on each side of it (Partner API,
/// Full-feed objects).
bool is_external_id_of(const platform& of, std::string_view id);

/// The property's part of an ID of marketplace D or the booking engine that names a room, too; none of any
/// other.
std::optional<std::string_view> property_part(std::string_view external_id);

/// Why a landlord's URL names no unit, as the rest of a sentence that starts with the field's name.
struct mapping_problem {
  std::string text;
};

/// Reads the platform's ID of a unit from the URL that a landlord pasted (Partner API, Unit mapping record).
/// A bare ID and a URL outside the platform's domains are problems.
std::variant<std::string, mapping_problem> external_id_from_url(const platform& of, std::string_view url);

} // namespace roost::domain
