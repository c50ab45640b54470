#pragma once

#include "actors/inventory/account.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/published.hpp"
#include "security/last_uses.hpp"
#include "security/live_keys.hpp"
#include "security/token_verifier.hpp"
#include "store/database/session.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost {

/// When a partner's token ends, or has ended by itself: not one that was revoked or replaced.
struct token_end {
  domain::uuid id{};
  std::string platform;
  domain::timestamp at{};
  std::string label;
};

/// The credentials of partners, of services and of assistants that count now, as the store has them; any
/// thread may read them.
class partner_credentials {
public:
  /// No credential counts before reload().
  partner_credentials(const security::signing_key& token_key, actors::wall_clock now);

  /// Reads them anew. Throws store::error.
  void reload(store::session& db);

  const security::token_verifier& tokens() const { return tokens_; }
  const actors::published<security::live_keys>& live_keys() const { return live_keys_; }
  const actors::published<std::vector<token_end>>& token_ends() const { return token_ends_; }
  const std::shared_ptr<security::last_uses>& uses() const { return uses_; }

private:
  void reload_tokens(store::session& db);
  void reload_keys(store::session& db);

  security::token_verifier tokens_;
  actors::wall_clock now_;
  std::shared_ptr<security::last_uses> uses_ = std::make_shared<security::last_uses>();
  actors::published<security::live_keys> live_keys_;
  actors::published<std::vector<token_end>> token_ends_;
};

} // namespace roost
