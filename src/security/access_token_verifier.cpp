#include "security/access_token_verifier.hpp"

#include <utility>

namespace roost::security {

std::optional<access_claims>
access_token_verifier::claims_of(std::string_view text, std::string_view audience,
                                 std::chrono::system_clock::time_point now) const {
  auto& shard = shards_[text_hash()(text) % shard_count];
  std::shared_ptr<const checker> check;
  {
    const std::lock_guard lock(shard.mutex);
    const auto known = shard.checked.find(text);
    if (known != shard.checked.end())
      return is_good(known->second, audience, now) ? std::optional{known->second} : std::nullopt;
    check = shard.check;
  }
  if (!check) return std::nullopt;
  auto claims = (*check)(text);
  if (!claims || !is_good(*claims, audience, now)) return std::nullopt;
  const std::lock_guard lock(shard.mutex);
  if (shard.check != check) return claims; // the keys were replaced meanwhile: not to be remembered
  if (shard.checked.size() >= most_remembered) shard.checked.clear();
  shard.checked.insert_or_assign(std::string(text), *claims);
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
    shard.check = check;
    shard.checked.clear();
  }
}

} // namespace roost::security
