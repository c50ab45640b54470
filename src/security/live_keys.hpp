#pragma once

#include "domain/account.hpp"
#include "domain/uuid.hpp"
#include "security/digest.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roost::security {

/// A new key. Only hash and last4 are ever stored; the plaintext is shown once.
struct issued_key {
  std::string plaintext; ///< a prefix for its kind, and 256 random bits in base64url
  std::string hash;      ///< the result of key_hash()
  std::string last4;     ///< the last four characters, to help people identify the key

  /// Sets what a record keeps of the key.
  template <typename Record>
  void store_in(Record& record) const {
    record.hash = hash;
    record.last4 = last4;
  }
};

/// What a key gives access to.
enum class key_kind : std::uint8_t {
  account,     ///< `rk_…`: a landlord's account, for a booking engine (Partner API, Authentication, rule 4)
  webhook,     ///< `wk_…`: marketplace A's webhook (Partner API, Authentication, rule 3)
  usage,       ///< `uk_…`: writing to the AI usage ledger
  tool_server, ///< `tk_…`: a tool server's introspection of tokens
  api,         ///< `ak_…`: the tool server, on behalf of a user
};

issued_key issue_key(key_kind kind);

/// Returns 256 random bits in base64url without a prefix, for challenges, remembered browsers and links.
std::string random_secret();

/// Returns the SHA-256 in hexadecimal. A key has 256 random bits, so a slow hash is unnecessary.
std::string key_hash(std::string_view plaintext);

/// Compares the hash of `presented` with `hash` in constant time.
bool key_matches(std::string_view presented, std::string_view hash);

/// The minute in which a credential was last used. Thread-safe; only the first use in a minute writes.
class last_use {
public:
  using minutes = std::chrono::minutes;

  void note(std::chrono::system_clock::time_point now) {
    const auto minute = std::chrono::floor<minutes>(now).time_since_epoch().count();
    if (minute_.load(std::memory_order_relaxed) < minute) minute_.store(minute, std::memory_order_relaxed);
  }

  /// Returns whole minutes since 1970; 0 if it was never used.
  std::int64_t minute() const { return minute_.load(std::memory_order_relaxed); }

private:
  std::atomic<std::int64_t> minute_{0};
};

/// The last uses of all active credentials. Thread-safe.
class last_uses {
public:
  /// Returns the same object for a credential while it is referenced, or until take() returns its last use.
  std::shared_ptr<last_use> of(const domain::uuid& credential);

  /// Returns the uses since the previous call, and forgets credentials that are no longer referenced.
  std::vector<domain::credential_use> take();

private:
  struct entry {
    std::shared_ptr<last_use> use = std::make_shared<last_use>();
    std::int64_t taken = 0; ///< the minute that take() last returned
  };

  std::mutex mutex_;
  std::unordered_map<domain::uuid, entry, domain::uuid_hash> all_;
};

/// An active key.
struct live_key {
  key_kind kind{};
  domain::uuid id{};
  domain::uuid owner{}; ///< the account of an account key, the user of an API key
  /// Of a tool server's key: the resource whose tokens it may introspect. Of an API key: the resource at
  /// which it may be used; empty: the configured tool server.
  std::string resource;
  std::shared_ptr<last_use> use;
};

/// The active keys of every kind, by the SHA-256 of their text. Immutable once published.
class live_keys {
  /// Digests are already uniformly distributed.
  struct digest_hash {
    std::size_t operator()(const sha256_digest& digest) const {
      std::size_t first;
      std::memcpy(&first, digest.data(), sizeof first);
      return first;
    }
  };
  /// Compares in constant time. A lookup's duration may reveal the bucket, but nothing about a key: a caller
  /// can neither choose the digest of the presented text nor invert a digest.
  struct equal_digests {
    bool operator()(const sha256_digest& left, const sha256_digest& right) const {
      return equal_in_constant_time({reinterpret_cast<const char*>(left.data()), left.size()},
                                    {reinterpret_cast<const char*>(right.data()), right.size()});
    }
  };

public:
  using container = std::unordered_map<sha256_digest, live_key, digest_hash, equal_digests>;

  /// Adds the key with this key_hash(). Ignores texts that are not such a hash, since no key can match them.
  void add(std::string_view hash, live_key key);

  /// Returns the key of this kind, or null. Hashes `presented` once and compares it only within one bucket.
  const live_key* find(key_kind kind, std::string_view presented) const;

  /// Returns the resource of a tool server's key as the key spells it; null if no key has a resource with
  /// this oauth::normalized_resource(), or if it is neither https nor on the same machine.
  const std::string* find_resource(const std::string& normalized) const;

private:
  container keys_;
  std::unordered_map<std::string, std::string> resources_; ///< of tool servers' keys, by normalized URL
};

} // namespace roost::security
