#pragma once

#include "domain/uuid.hpp"
#include "security/key_ring.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::security {

/// Which token of a session's chain a refresh cookie is.
struct refresh_token {
  domain::uuid session_id{};
  std::int64_t generation = 0; ///< 1 at the sign-in, one more with each refresh

  bool operator==(const refresh_token&) const = default;
};

/// The token's text. It follows from the session and the generation with a keyed hash: whoever is owed a
/// successor gets the same one, and the store needs to keep nothing that a token could be made of.
std::string refresh_token_text(const key_ring& keys, const refresh_token& token);

/// Nothing for what no key of the ring made.
std::optional<refresh_token> parse_refresh_token(const key_ring& keys, std::string_view text);

} // namespace roost::security
