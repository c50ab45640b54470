#pragma once

#include "domain/uuid.hpp"
#include "security/digest.hpp"
#include "security/last_uses.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace roost::security {

/// What a key opens.
enum class key_kind : std::uint8_t { account, webhook, usage, tool_server, api };

/// A key that counts.
struct live_key {
  key_kind kind{};
  domain::uuid id{};
  domain::uuid owner{}; ///< the account of an account key, the user of an API key
  std::string resource; ///< of a tool server's key: whose tokens it may ask about
  std::shared_ptr<last_use> use;
};

/// All keys that count, of every kind, by the SHA-256 of their text. Immutable once published.
class live_keys {
public:
  /// `hash` is a key_hash(). Ignores one that is none: no key has it.
  void add(std::string_view hash, live_key key);

  /// The key of this kind, or null. Hashes `presented` once and compares it with the keys of one bucket only.
  const live_key* find(key_kind kind, std::string_view presented) const;

private:
  /// The digest of a random key is uniformly distributed already.
  struct digest_hash {
    std::size_t operator()(const sha256_digest& digest) const {
      std::size_t first;
      std::memcpy(&first, digest.data(), sizeof first);
      return first;
    }
  };
  /// The bucket of a digest may show in the time of a lookup, but that tells nothing about a key: a caller
  /// can neither choose the digest of what it presents nor find the text of a digest, and the digest itself
  /// is compared in constant time.
  struct equal_digests {
    bool operator()(const sha256_digest& left, const sha256_digest& right) const {
      return equal_in_constant_time({reinterpret_cast<const char*>(left.data()), left.size()},
                                    {reinterpret_cast<const char*>(right.data()), right.size()});
    }
  };

public:
  using container = std::unordered_map<sha256_digest, live_key, digest_hash, equal_digests>;

private:
  container keys_;
};

} // namespace roost::security
