#pragma once

#include <boost/functional/hash.hpp>
#include <boost/uuid/uuid.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

using uuid = boost::uuids::uuid;

/// Hashes an id for unordered containers.
using uuid_hash = boost::hash<uuid>;

/// Parses the canonical 8-4-4-4-12 form in either letter case; nullopt for anything else (braces, `urn:`).
std::optional<uuid> parse_uuid(std::string_view text);

/// Formats an id in canonical form, in lower case.
std::string to_string(const uuid& id);

/// Returns whether `text` is a UUID of RFC 9562: version 1 to 8 with the RFC's variant, or the nil or max
/// UUID. Partners' `bookingId` must be one; this is stricter than parse_uuid().
bool is_rfc_uuid(std::string_view text);

} // namespace roost::domain
