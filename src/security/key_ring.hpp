#pragma once

#include "security/digest.hpp"

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace roost::security {

/// A key that tokens are signed with.
using signing_key = std::array<unsigned char, 32>;

struct named_key {
  std::string id; ///< told in what it signs
  signing_key key{};
  std::chrono::sys_seconds made_at{};
};

/// The keys of sessions: the newest signs, and older ones still check what they signed, so that keys change
/// without signing anybody out.
class key_ring {
public:
  /// The newest first; at least one.
  explicit key_ring(std::vector<named_key> keys) : keys_(std::move(keys)) {}

  const named_key& newest() const { return keys_.front(); }
  const std::vector<named_key>& all() const { return keys_; }
  /// Null: unknown, or dropped since.
  const named_key* find(std::string_view id) const;

private:
  std::vector<named_key> keys_;
};

/// A keyed hash of a text (HMAC-SHA-256) for one purpose, which no other purpose's hash equals.
sha256_digest keyed_hash(const signing_key& key, std::string_view purpose, std::string_view text);

/// What the store keeps in place of a short secret, such as an emailed code: without the keys nobody can try
/// all codes against it.
std::string sealed(const key_ring& keys, std::string_view purpose, std::string_view text);

/// Whether `seal` came of this text, in constant time.
bool seal_matches(const key_ring& keys, std::string_view purpose, std::string_view text,
                  std::string_view seal);

} // namespace roost::security
