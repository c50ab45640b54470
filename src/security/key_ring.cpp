#include "security/key_ring.hpp"

#include <algorithm>

namespace roost::security {

const named_key* key_ring::find(std::string_view id) const {
  const auto found = std::ranges::find(keys_, id, &named_key::id);
  return found == keys_.end() ? nullptr : &*found;
}

sha256_digest keyed_hash(const signing_key& key, std::string_view purpose, std::string_view text) {
  std::string message;
  message.reserve(purpose.size() + 1 + text.size());
  message.append(purpose).append(1, '\0').append(text);
  return hmac_sha256(key, message);
}

std::string sealed(const key_ring& keys, std::string_view purpose, std::string_view text) {
  return keys.newest().id + ':' + to_hex(keyed_hash(keys.newest().key, purpose, text));
}

bool seal_matches(const key_ring& keys, std::string_view purpose, std::string_view text,
                  std::string_view seal) {
  const auto colon = seal.find(':');
  if (colon == std::string_view::npos) return false;
  const auto* by = keys.find(seal.substr(0, colon));
  return by != nullptr &&
         equal_in_constant_time(to_hex(keyed_hash(by->key, purpose, text)), seal.substr(colon + 1));
}

} // namespace roost::security
