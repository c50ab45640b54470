#pragma once

#include "domain/uuid.hpp"
#include "security/key_ring.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::security {

/// What a refresh token refreshes. A token of one kind is none of the other.
enum class refresh_kind {
  session,    ///< of a browser (Management API, Session and refresh cookie)
  connection, ///< of an assistant (Management API, OAuth artifacts)
};

/// Which token of a chain it is.
struct refresh_token {
  domain::uuid chain{};        ///< the id of the session or connection
  std::int64_t generation = 0; ///< 1 at the beginning, one more with each refresh

  bool operator==(const refresh_token&) const = default;
};

/// The token's text. It follows from the chain and the generation with a keyed hash: whoever is owed a
/// successor gets the same one, and the store needs to keep nothing that a token could be made of.
std::string refresh_token_text(const key_ring& keys, refresh_kind kind, const refresh_token& token);

/// Nothing for what no key of the ring made for this kind.
std::optional<refresh_token> parse_refresh_token(const key_ring& keys, refresh_kind kind,
                                                 std::string_view text);

} // namespace roost::security
