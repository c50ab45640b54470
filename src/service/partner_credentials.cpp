#include "service/partner_credentials.hpp"

#include "store/credentials/credentials.hpp"

#include <memory>
#include <utility>

namespace roost {

namespace {

template <typename Keys>
std::shared_ptr<const std::vector<std::string>> hashes_of(const Keys& keys) {
  auto hashes = std::make_shared<std::vector<std::string>>();
  for (const auto& key : keys) hashes->push_back(key.hash);
  return hashes;
}

} // namespace

partner_credentials::partner_credentials(const security::signing_key& token_key, actors::wall_clock now)
    : tokens_(token_key), now_(std::move(now)) {}

void partner_credentials::reload(store::session& db) {
  auto live = std::make_shared<security::live_tokens>();
  auto ends = std::make_shared<std::vector<token_end>>();
  for (auto& token : store::partner_tokens::live(db, now_())) {
    live->insert(token.id);
    ends->push_back({token.id, std::move(token.platform), token.expires_at});
  }
  tokens_.replace_live(std::move(live));
  token_ends_.set(std::move(ends));
  webhook_key_hashes_.set(hashes_of(store::webhook_keys::live(db, now_())));
  usage_key_hashes_.set(hashes_of(store::usage_keys::live(db, now_())));
  auto keys = std::make_shared<std::vector<http::live_account_key>>();
  for (auto& key : store::account_keys::live(db, now_()))
    keys->push_back({std::move(key.hash), key.account_id});
  account_keys_.set(std::move(keys));
  reload_connector(db);
}

void partner_credentials::reload_connector(store::session& db) {
  auto servers = std::make_shared<std::vector<http::live_tool_server_key>>();
  for (auto& key : store::tool_server_keys::live(db, now_()))
    servers->push_back({std::move(key.hash), std::move(key.resource)});
  tool_server_keys_.set(std::move(servers));
  auto keys = std::make_shared<http::live_api_keys>();
  for (auto& key : store::api_keys::live(db, now_())) keys->emplace(std::move(key.hash), key.user_id);
  api_keys_.set(std::move(keys));
}

} // namespace roost
