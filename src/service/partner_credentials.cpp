#include "service/partner_credentials.hpp"

#include "store/credentials/credentials.hpp"

#include <memory>
#include <utility>

namespace roost {

partner_credentials::partner_credentials(const security::signing_key& token_key, actors::wall_clock now)
    : tokens_(token_key), now_(std::move(now)) {}

void partner_credentials::reload(store::session& db) {
  auto live = std::make_shared<security::live_tokens>();
  for (const auto& token : store::partner_tokens::live(db, now_())) live->insert(token.id);
  tokens_.replace_live(std::move(live));
  auto hashes = std::make_shared<std::vector<std::string>>();
  for (const auto& key : store::webhook_keys::live(db, now_())) hashes->push_back(key.hash);
  webhook_key_hashes_.set(std::move(hashes));
  auto keys = std::make_shared<std::vector<http::live_account_key>>();
  for (auto& key : store::account_keys::live(db, now_()))
    keys->push_back({std::move(key.hash), key.account_id});
  account_keys_.set(std::move(keys));
}

} // namespace roost
