#pragma once

#include "simulation/history.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// The grace period of replaced refresh tokens: shorter than a history.
inline constexpr std::chrono::seconds connector_grace{5};

/// The known state of an assistant's connection to a user.
struct known_connection {
  struct replaced_token {
    std::string text;
    history::time_point known_at{}; ///< when its successor was received
  };

  std::string id, client_id;
  std::string access_token, refresh_token; ///< the newest ones
  history::time_point issued_at{};         ///< of the access token
  std::vector<replaced_token> replaced = {};
  /// When the first refresh with an unknown outcome was sent. It may have replaced the token.
  std::optional<history::time_point> refreshing_since = {};
  bool may_have_ended = false; ///< a request to end it was sent
  bool has_ended = false;      ///< its end was acknowledged
};

} // namespace roost::testing
