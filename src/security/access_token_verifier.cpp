#include "security/access_token_verifier.hpp"

#include <utility>

namespace roost::security {

std::optional<access_claims>
access_token_verifier::claims_of(std::string_view text, std::string_view audience,
                                 std::chrono::system_clock::time_point now) const {
  auto& shard = shards_.of(text);
  std::shared_ptr<const checker> check;
  {
    const std::lock_guard lock(shard.mutex);
    if (const auto* known = shard.find(text))
      return is_good(*known, audience, now) ? std::optional{*known} : std::nullopt;
    check = shard.shared;
  }
  if (!check) return std::nullopt;
  auto claims = (*check)(text);
  if (!claims || !is_good(*claims, audience, now)) return std::nullopt;
  const std::lock_guard lock(shard.mutex);
  if (shard.shared != check) return claims; // the keys were replaced meanwhile: not to be remembered
  shard.remember(text, *claims);
  return claims;
}

void access_token_verifier::replace_keys(std::shared_ptr<const key_ring> keys) {
  replace_checker(
      [keys = std::move(keys)](std::string_view text) { return verify_access_token(*keys, text); });
}

void access_token_verifier::replace_checker(checker with) {
  const auto check = std::make_shared<const checker>(std::move(with));
  for (auto& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    shard.shared = check;
    shard.forget_all();
  }
}

} // namespace roost::security
