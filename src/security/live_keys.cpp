#include "security/live_keys.hpp"

#include "oauth/urls.hpp"
#include "security/random.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace roost::security {

issued_key issue_key(key_kind kind) {
  static constexpr std::array<const char*, 5> prefixes{"rk_", "wk_", "uk_", "tk_", "ak_"};
  auto plaintext = prefixes[static_cast<std::size_t>(kind)] + random_secret();
  auto hash = key_hash(plaintext);
  auto last4 = plaintext.substr(plaintext.size() - 4);
  return {std::move(plaintext), std::move(hash), std::move(last4)};
}

std::string random_secret() {
  std::array<unsigned char, 32> bytes;
  fill_random(bytes);
  return to_base64url(bytes);
}

std::string key_hash(std::string_view plaintext) { return to_hex(sha256(plaintext)); }

bool key_matches(std::string_view presented, std::string_view hash) {
  return equal_in_constant_time(key_hash(presented), hash);
}

std::shared_ptr<last_use> last_uses::of(const domain::uuid& credential) {
  const std::lock_guard guard(mutex_);
  return all_[credential].use;
}

std::vector<domain::credential_use> last_uses::take() {
  std::vector<domain::credential_use> taken;
  const std::lock_guard guard(mutex_);
  for (auto each = all_.begin(); each != all_.end();) {
    auto& [credential, entry] = *each;
    const bool is_unused = entry.use.use_count() == 1;
    if (const auto minute = entry.use->minute(); minute != entry.taken) {
      entry.taken = minute;
      taken.push_back({credential, domain::timestamp{last_use::minutes{minute}}});
    }
    each = is_unused ? all_.erase(each) : std::next(each);
  }
  return taken;
}

void live_keys::add(std::string_view hash, live_key key) {
  const auto bytes = from_hex(hash);
  sha256_digest digest;
  if (!bytes || bytes->size() != digest.size()) return;
  std::ranges::copy(*bytes, digest.begin());
  if (key.kind == key_kind::tool_server) {
    const auto address = oauth::parse_web_address(key.resource);
    if (address && oauth::is_https_or_on_this_machine(*address))
      resources_.emplace(oauth::normalized_resource(key.resource).value(), key.resource);
  }
  keys_.insert_or_assign(digest, std::move(key));
}

const live_key* live_keys::find(key_kind kind, std::string_view presented) const {
  const auto found = keys_.find(sha256(presented));
  return found == keys_.end() || found->second.kind != kind ? nullptr : &found->second;
}

const std::string* live_keys::find_resource(const std::string& normalized) const {
  const auto found = resources_.find(normalized);
  return found == resources_.end() ? nullptr : &found->second;
}

} // namespace roost::security
