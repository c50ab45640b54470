#pragma once

#include "actors/credentials/use_keeper.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/published.hpp"
#include "security/live_keys.hpp"
#include "security/secrets.hpp"
#include "security/token.hpp"
#include "service/service_context.hpp"
#include "store/database/session.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace roost {

/// A partner's token that expires or has expired; revoked and replaced tokens are left out.
struct token_expiry {
  domain::uuid id{};
  std::string platform;
  domain::timestamp at{};
  std::string label;
};

/// The live credentials of partners, services and assistants, as in the store. Reading is thread-safe.
class partner_credentials {
public:
  /// Accepts no credential before reload().
  partner_credentials(const security::secrets& secrets, std::filesystem::path secrets_file,
                      actors::wall_clock now);

  /// Reads all credentials, and the keys that verify tokens from the secrets file, which a command may have
  /// replaced. Throws store::error.
  void reload(store::session& db);

  const security::token_verifier& tokens() const { return tokens_; }
  /// Returns the fingerprint of the secrets file that was read last.
  std::string signing_keys() const { return *signing_keys_.get(); }
  const actors::published<security::signing_key>& submission_key() const { return submission_key_; }
  const actors::published<security::live_keys>& live_keys() const { return live_keys_; }
  const actors::published<std::vector<token_expiry>>& token_expiries() const { return token_expiries_; }
  const std::shared_ptr<security::last_uses>& uses() const { return uses_; }

private:
  void set_other_keys(const security::secrets& secrets);
  void reload_token_keys();
  void reload_tokens(store::session& db);
  void reload_keys(store::session& db);

  const std::filesystem::path secrets_file_;
  security::token_verifier tokens_;
  actors::published<std::string> signing_keys_;
  actors::published<security::signing_key> submission_key_;
  actors::wall_clock now_;
  std::shared_ptr<security::last_uses> uses_ = std::make_shared<security::last_uses>();
  actors::published<security::live_keys> live_keys_;
  actors::published<std::vector<token_expiry>> token_expiries_;
};

/// Records when tokens and keys were last used, for the command line's lists.
class credential_uses_module final : public module {
public:
  /// `credentials` must outlive it.
  credential_uses_module(service_context& base, const partner_credentials& credentials);

  /// Writes the uses that are not on disk yet.
  void finish_writing() override;

private:
  service_context& base_;
  actors::use_keeper keeper_;
};

} // namespace roost
