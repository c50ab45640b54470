#include "security/session_tokens.hpp"

#include "security/random.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace roost::security {

namespace {

constexpr const char* type_claim = "typ"; // distinguishes it from other tokens signed with the same keys
constexpr const char* access_type = "access";
constexpr const char* session_claim = "sid";
constexpr const char* epoch_claim = "epoch";

constexpr std::array<std::pair<const char*, std::string access_claims::*>, 3> connector_claims{
    {{"tokenSource", &access_claims::source},
     {"client_id", &access_claims::client_id},
     {"scope", &access_claims::scope}}};

constexpr std::size_t max_refresh_token_size = 256;

std::string_view purpose_of(refresh_kind kind) {
  return kind == refresh_kind::session ? "refresh token" : "refresh token of a connection";
}

/// Returns chain and generation, the part of the text that is hashed.
std::string plain_part(const refresh_token& token) {
  return domain::to_string(token.chain) + '.' + std::to_string(token.generation);
}

std::optional<refresh_token> parse_plain(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto chain = domain::parse_uuid(text.substr(0, dot));
  const auto digits = text.substr(dot + 1);
  std::int64_t generation = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), generation);
  if (!chain || error != std::errc{} || end != digits.data() + digits.size() || generation < 1)
    return std::nullopt;
  return refresh_token{*chain, generation};
}

} // namespace

std::string issue_access_token(const key_ring& keys, const access_claims& claims) {
  return issue_access_token(jwt_key(keys.newest().key), keys.newest().id, claims);
}

std::string issue_access_token(const jwt_key& key, const std::string& key_id, const access_claims& claims) {
  jwt_writer token(key, key_id);
  token.add(type_claim, access_type)
      .add("iss", claims.issuer)
      .add("aud", claims.audience)
      .add("sub", domain::to_string(claims.user_id))
      .add(session_claim, domain::to_string(claims.session_id))
      .add(epoch_claim, claims.epoch)
      .add("jti", domain::to_string(random_uuid())) // makes tokens of the same second differ
      .add("iat", claims.issued)
      .add("exp", claims.expires);
  for (const auto& [name, member] : connector_claims)
    if (!(claims.*member).empty()) token.add(name, claims.*member);
  return token.text();
}

std::optional<access_claims> verify_access_token(const key_ring& keys, std::string_view text) {
  const auto key_id = key_id_of(text);
  const auto* key = key_id ? keys.find(*key_id) : nullptr;
  if (key == nullptr) return std::nullopt;
  return verify_access_token(jwt_key(key->key), text);
}

std::optional<access_claims> verify_access_token(const jwt_key& key, std::string_view text) {
  const auto token = jwt_reader::verified(text, key);
  if (!token || token->text(type_claim) != access_type) return std::nullopt;
  auto issuer = token->text("iss");
  auto audience = token->text("aud");
  const auto user = token->id("sub");
  const auto session = token->id(session_claim);
  const auto epoch = token->number(epoch_claim);
  const auto issued = token->time("iat");
  const auto expires = token->time("exp");
  if (!issuer || !audience || !user || !session || !epoch || !issued || !expires || *expires <= *issued)
    return std::nullopt;
  access_claims claims{std::move(*issuer), std::move(*audience), *user, *session, *epoch, *issued, *expires};
  for (const auto& [name, member] : connector_claims) claims.*member = token->text(name).value_or("");
  return claims;
}

std::string refresh_token_text(const key_ring& keys, refresh_kind kind, const refresh_token& token) {
  const auto plain = plain_part(token);
  return plain + '.' + keys.newest().id + '.' +
         to_base64url(keyed_hash(keys.newest().key, purpose_of(kind), plain));
}

/// The text is `chain.generation.key.hash`.
std::optional<refresh_token> parse_refresh_token(const key_ring& keys, refresh_kind kind,
                                                 std::string_view text) {
  if (text.size() > max_refresh_token_size) return std::nullopt;
  const auto hash_at = text.rfind('.');
  if (hash_at == std::string_view::npos || hash_at == 0) return std::nullopt;
  const auto key_at = text.rfind('.', hash_at - 1);
  if (key_at == std::string_view::npos) return std::nullopt;
  const auto* key = keys.find(text.substr(key_at + 1, hash_at - key_at - 1));
  if (key == nullptr) return std::nullopt;
  const auto plain = text.substr(0, key_at);
  const auto expected = to_base64url(keyed_hash(key->key, purpose_of(kind), plain));
  if (!equal_in_constant_time(expected, text.substr(hash_at + 1))) return std::nullopt;
  return parse_plain(plain);
}

std::optional<access_claims>
access_token_verifier::claims_of(std::string_view text, std::string_view audience,
                                 std::chrono::system_clock::time_point now) const {
  auto& shard = shards_.of(text);
  std::shared_ptr<const checker> check;
  {
    const std::lock_guard lock(shard.mutex);
    if (const auto* known = shard.find(text))
      return is_valid(*known, audience, now) ? std::optional{*known} : std::nullopt;
    check = shard.shared;
  }
  if (!check) return std::nullopt;
  auto claims = (*check)(text);
  if (!claims || !is_valid(*claims, audience, now)) return std::nullopt;
  const std::lock_guard lock(shard.mutex);
  if (shard.shared != check) return claims; // the keys were replaced meanwhile: do not cache
  shard.remember(text, *claims);
  return claims;
}

void access_token_verifier::replace_keys(std::shared_ptr<const key_ring> keys) {
  replace_checker(
      [keys = std::move(keys)](std::string_view text) { return verify_access_token(*keys, text); });
}

void access_token_verifier::replace_checker(checker replacement) {
  const auto check = std::make_shared<const checker>(std::move(replacement));
  for (auto& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    shard.shared = check;
    shard.forget_all();
  }
}

} // namespace roost::security
