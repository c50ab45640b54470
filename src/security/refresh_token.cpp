#include "security/refresh_token.hpp"

#include <charconv>

namespace roost::security {

namespace {

constexpr std::size_t longest_refresh_token = 256;

std::string_view purpose_of(refresh_kind kind) {
  return kind == refresh_kind::session ? "refresh token" : "refresh token of a connection";
}

/// Chain and generation, as they are hashed and told.
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

std::string refresh_token_text(const key_ring& keys, refresh_kind kind, const refresh_token& token) {
  const auto plain = plain_part(token);
  return plain + '.' + keys.newest().id + '.' +
         to_base64url(keyed_hash(keys.newest().key, purpose_of(kind), plain));
}

/// The text is `chain.generation.key.hash`.
std::optional<refresh_token> parse_refresh_token(const key_ring& keys, refresh_kind kind,
                                                 std::string_view text) {
  if (text.size() > longest_refresh_token) return std::nullopt;
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

} // namespace roost::security
