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

/// Reads the canonical 8-4-4-4-12 form in either letter case; anything else (braces, `urn:`) is no id.
std::optional<uuid> parse_uuid(std::string_view text);

/// The canonical form in lower case.
std::string to_string(const uuid& id);

/// Whether `text` is a UUID of RFC 9562: version 1 to 8 with a proper variant, or the nil or max UUID. This
/// is what a partner's `bookingId` must be; it is narrower than parse_uuid().
bool is_rfc_uuid(std::string_view text);

} // namespace roost::domain
