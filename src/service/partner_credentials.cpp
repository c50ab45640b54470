#include "service/partner_credentials.hpp"

#include "log/log.hpp"
#include "security/secrets.hpp"
#include "store/credentials/credentials.hpp"

#include <utility>

namespace roost {

partner_credentials::partner_credentials(const security::secrets& secrets, std::filesystem::path secrets_file,
                                         actors::wall_clock now)
    : secrets_file_(std::move(secrets_file)), tokens_(secrets.token_keys()), now_(std::move(now)) {
  set_other_keys(secrets);
}

void partner_credentials::set_other_keys(const security::secrets& secrets) {
  signing_keys_.set(std::make_shared<const std::string>(secrets.fingerprint()));
  submission_key_.set(std::make_shared<const security::signing_key>(secrets.submission_key));
}

void partner_credentials::reload_token_keys() {
  try {
    const auto secrets = security::secrets::load(secrets_file_);
    if (!secrets) return;
    tokens_.replace_keys(secrets->token_keys());
    set_other_keys(*secrets);
  } catch (const security::secrets_error& error) {
    log::error("secrets_file_unusable", {{"reason", error.what()}});
  }
}

void partner_credentials::reload(store::session& db) {
  reload_token_keys();
  reload_tokens(db);
  reload_keys(db);
}

void partner_credentials::reload_tokens(store::session& db) {
  auto live = std::make_shared<security::live_tokens>();
  auto expiring = std::make_shared<std::vector<token_expiry>>();
  const auto now = now_();
  for (auto& token : store::partner_tokens::all(db)) {
    if (token.ended_at) continue;
    if (token.expires_at > now) live->emplace(token.id, uses_->of(token.id));
    expiring->push_back({token.id, std::move(token.platform), token.expires_at, std::move(token.label)});
  }
  tokens_.replace_live(std::move(live));
  token_expiries_.set(std::move(expiring));
}

void partner_credentials::reload_keys(store::session& db) {
  using enum security::key_kind;
  auto live = std::make_shared<security::live_keys>();
  const auto now = now_();
  const auto add = [&](security::key_kind kind, auto& key, const domain::uuid& owner, std::string resource) {
    live->add(key.hash, {kind, key.id, owner, std::move(resource), uses_->of(key.id)});
  };
  for (auto& key : store::account_keys::live(db, now)) add(account, key, key.account_id, {});
  for (auto& key : store::webhook_keys::live(db, now)) add(webhook, key, {}, {});
  for (auto& key : store::usage_keys::live(db, now)) add(usage, key, {}, {});
  for (auto& key : store::tool_server_keys::live(db, now)) add(tool_server, key, {}, std::move(key.resource));
  for (auto& key : store::api_keys::live(db, now))
    add(api, key, key.user_id, std::move(key.resource).value_or(""));
  live_keys_.set(std::move(live));
}

credential_uses_module::credential_uses_module(service_context& base, const partner_credentials& credentials)
    : base_(base), keeper_(actors::spawn_use_keeper(
                       *base.runtime, {base.storage_at(service_context::side_lane::management), base.lease,
                                       [uses = credentials.uses()] { return uses->take(); }})) {}

void credential_uses_module::finish_writing() {
  send_and_wait(base_.system(), keeper_, actors::flush_uses{}, [](const actors::uses_flushed&) {});
  stop_actor(keeper_);
}

} // namespace roost
