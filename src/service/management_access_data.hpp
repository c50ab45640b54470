#pragma once

#include "actors/connector/connector_keeper.hpp"
#include "actors/inventory/read_model_loader.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/published.hpp"
#include "actors/sessions/session_register.hpp"
#include "actors/sessions/user_directory.hpp"
#include "config/settings.hpp"
#include "metrics/registry.hpp"
#include "security/connector_tokens.hpp"
#include "security/secrets.hpp"
#include "security/session_tokens.hpp"
#include "store/database/session.hpp"

#include <chrono>
#include <filesystem>
#include <memory>

namespace roost {

/// The data that authenticates users: accounts, session keys and ended sessions. Reading is thread-safe.
class management_access_data {
public:
  /// Knows no user before load(). Throws secrets_error.
  management_access_data(const config::settings& settings, actors::wall_clock now,
                         metrics::registry& registry);

  /// Reloads everything. Throws store::error. Keeps the current keys if the secrets file cannot be read.
  void load(store::session& db);

  /// Reads the changed data. Throws store::error.
  void apply(store::session& db, const actors::credential_changes& changes);

  const actors::published<actors::user_directory>& users() const { return users_; }
  const actors::published<security::key_ring>& keys() const { return keys_; }
  const security::access_token_verifier& access_tokens() const { return access_tokens_; }
  const std::shared_ptr<actors::session_register>& ended() const { return ended_; }
  /// Must be cleared when another server may have removed clients from the store.
  const std::shared_ptr<actors::client_cache>& clients() const { return clients_; }
  const security::connector_tokens& connector_tokens() const { return connector_tokens_; }

private:
  void take_keys(security::key_ring keys);
  void reload_keys();
  void apply_ends(store::session& db, const std::vector<domain::uuid>& ended);
  void apply_users(store::session& db, const std::vector<domain::uuid>& accounts);

  const std::filesystem::path secrets_file_;
  const std::chrono::milliseconds access_token_; ///< how long one issued so far may be valid
  actors::wall_clock now_;
  actors::published<actors::user_directory> users_;
  actors::published<security::key_ring> keys_;
  security::access_token_verifier access_tokens_;
  security::connector_tokens connector_tokens_;
  const metrics::counter revoked_sessions_, revoked_connections_;
  std::shared_ptr<actors::session_register> ended_ = std::make_shared<actors::session_register>();
  std::shared_ptr<actors::client_cache> clients_ = std::make_shared<actors::client_cache>();
};

} // namespace roost
