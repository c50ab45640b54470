#include "security/token_verifier.hpp"

#include <utility>

namespace roost::security {

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

token_verifier::token_verifier(const signing_key& key) : key_(key) {
  replace_live(std::make_shared<const live_tokens>());
}

bool token_verifier::accepts(std::string_view text, std::string_view platform,
                             std::chrono::system_clock::time_point now) const {
  auto& shard = shards_.of(text);
  {
    const std::lock_guard lock(shard.mutex);
    if (const auto* known = shard.find(text)) return permits(*known, *shard.shared, platform, now);
  }
  auto claims = verify_token(key_, text);
  if (!claims) return false;
  const std::lock_guard lock(shard.mutex);
  const bool accepted = permits(*claims, *shard.shared, platform, now);
  shard.remember(text, std::move(*claims));
  return accepted;
}

std::optional<domain::uuid> token_verifier::id_of(std::string_view text) const {
  auto& shard = shards_.of(text);
  {
    const std::lock_guard lock(shard.mutex);
    if (const auto* known = shard.find(text)) return known->id;
  }
  const auto claims = verify_token(key_, text);
  return claims ? std::optional{claims->id} : std::nullopt;
}

void token_verifier::replace_live(std::shared_ptr<const live_tokens> live) {
  for (auto& shard : shards_) {
    auto other = live; // the former list, if this was its last use, is freed outside the lock
    const std::lock_guard lock(shard.mutex);
    shard.shared.swap(other);
  }
}

} // namespace roost::security
