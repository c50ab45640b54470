#include "service/partner_credentials.hpp"

#include "store/credentials/credentials.hpp"

#include <memory>
#include <utility>

namespace roost {

namespace {

template <typename Keys>
std::shared_ptr<const std::vector<security::live_key>> live_keys(Keys keys, security::last_uses& uses) {
  auto live = std::make_shared<std::vector<security::live_key>>();
  live->reserve(keys.size());
  for (auto& key : keys) live->push_back({std::move(key.hash), uses.of(key.id), key.id});
  return live;
}

} // namespace

partner_credentials::partner_credentials(const security::signing_key& token_key, actors::wall_clock now)
    : tokens_(token_key), now_(std::move(now)) {}

void partner_credentials::reload(store::session& db) {
  auto live = std::make_shared<security::live_tokens>();
  auto ends = std::make_shared<std::vector<token_end>>();
  const auto now = now_();
  for (auto& token : store::partner_tokens::all(db)) {
    if (token.ended_at) continue;
    if (token.expires_at > now) live->emplace(token.id, uses_->of(token.id));
    ends->push_back({token.id, std::move(token.platform), token.expires_at, std::move(token.label)});
  }
  tokens_.replace_live(std::move(live));
  token_ends_.set(std::move(ends));
  webhook_keys_.set(live_keys(store::webhook_keys::live(db, now_()), *uses_));
  usage_keys_.set(live_keys(store::usage_keys::live(db, now_()), *uses_));
  auto keys = std::make_shared<std::vector<http::live_account_key>>();
  for (auto& key : store::account_keys::live(db, now_()))
    keys->push_back({std::move(key.hash), key.account_id, uses_->of(key.id), key.id});
  account_keys_.set(std::move(keys));
  reload_connector(db);
}

void partner_credentials::reload_connector(store::session& db) {
  auto servers = std::make_shared<std::vector<http::live_tool_server_key>>();
  for (auto& key : store::tool_server_keys::live(db, now_()))
    servers->push_back({std::move(key.hash), std::move(key.resource), uses_->of(key.id)});
  tool_server_keys_.set(std::move(servers));
  auto keys = std::make_shared<http::live_api_keys>();
  for (auto& key : store::api_keys::live(db, now_()))
    keys->emplace(std::move(key.hash), http::live_api_key{key.user_id, uses_->of(key.id)});
  api_keys_.set(std::move(keys));
}

} // namespace roost
