#include "security/token.hpp"

#include "security/jwt.hpp"
#include "security/random.hpp"

#include <utility>

namespace roost::security {

issued_token issue_token(const signing_key& key, const std::string& platform,
                         std::chrono::system_clock::time_point now, std::chrono::seconds lifetime) {
  const auto issued = std::chrono::floor<std::chrono::seconds>(now);
  const token_claims claims{platform, random_uuid(), issued, issued + lifetime};
  jwt_writer token(jwt_key{key}); // its registered claims: RFC 7519, 4.1
  token.add("platform", platform)
      .add("jti", domain::to_string(claims.id))
      .add("iat", claims.issued)
      .add("exp", claims.expires);
  return {token.text(), claims};
}

std::optional<token_claims> verify_token(const signing_key& key, std::string_view text) {
  const auto token = jwt_reader::verified(text, jwt_key{key});
  if (!token) return std::nullopt;
  auto platform = token->text("platform");
  const auto id = token->id("jti");
  const auto issued = token->time("iat");
  const auto expires = token->time("exp");
  if (!platform || !id || !issued || !expires || *expires <= *issued) return std::nullopt;
  return token_claims{std::move(*platform), *id, *issued, *expires};
}

namespace {

bool permits(const token_claims& claims, const live_tokens& live, std::string_view platform,
             std::chrono::system_clock::time_point now) {
  if (claims.platform != platform || now >= claims.expires) return false;
  const auto found = live.find(claims.id);
  if (found == live.end()) return false;
  found->second->note(now);
  return true;
}

} // namespace

token_verifier::token_verifier(std::vector<signing_key> keys)
    : keys_(std::make_shared<const std::vector<signing_key>>(std::move(keys))) {
  replace_live(std::make_shared<const live_tokens>());
}

std::shared_ptr<const std::vector<signing_key>> token_verifier::keys() const {
  const std::lock_guard lock(mutex_);
  return keys_;
}

std::optional<token_claims> token_verifier::verified(std::string_view text) const {
  const auto current = keys();
  for (const auto& key : *current)
    if (auto claims = verify_token(key, text)) return claims;
  return std::nullopt;
}

void token_verifier::replace_keys(std::vector<signing_key> keys) {
  auto replacement = std::make_shared<const std::vector<signing_key>>(std::move(keys));
  {
    const std::lock_guard lock(mutex_);
    if (*keys_ == *replacement) return;
    keys_.swap(replacement);
  }
  for (auto& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    shard.forget_all();
  }
}

bool token_verifier::accepts(std::string_view text, std::string_view platform,
                             std::chrono::system_clock::time_point now) const {
  auto& shard = shards_.of(text);
  {
    const std::lock_guard lock(shard.mutex);
    if (const auto* known = shard.find(text)) return permits(*known, *shard.shared, platform, now);
  }
  const auto used_keys = keys();
  auto claims = verified(text);
  if (!claims) return false;
  const std::lock_guard lock(shard.mutex);
  const bool accepted = permits(*claims, *shard.shared, platform, now);
  if (keys() == used_keys) shard.remember(text, std::move(*claims)); // they may have been replaced meanwhile
  return accepted;
}

std::optional<domain::uuid> token_verifier::id_of(std::string_view text) const {
  auto& shard = shards_.of(text);
  {
    const std::lock_guard lock(shard.mutex);
    if (const auto* known = shard.find(text)) return known->id;
  }
  const auto claims = verified(text);
  return claims ? std::optional{claims->id} : std::nullopt;
}

void token_verifier::replace_live(std::shared_ptr<const live_tokens> live) {
  for (auto& shard : shards_) {
    auto list = live; // frees the former list, if unused, outside the lock
    const std::lock_guard lock(shard.mutex);
    shard.shared.swap(list);
  }
}

} // namespace roost::security
