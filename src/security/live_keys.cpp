#include "security/live_keys.hpp"

#include <algorithm>
#include <utility>

namespace roost::security {

void live_keys::add(std::string_view hash, live_key key) {
  const auto bytes = from_hex(hash);
  sha256_digest digest;
  if (!bytes || bytes->size() != digest.size()) return;
  std::ranges::copy(*bytes, digest.begin());
  keys_.insert_or_assign(digest, std::move(key));
}

const live_key* live_keys::find(key_kind kind, std::string_view presented) const {
  const auto found = keys_.find(sha256(presented));
  return found == keys_.end() || found->second.kind != kind ? nullptr : &found->second;
}

} // namespace roost::security
