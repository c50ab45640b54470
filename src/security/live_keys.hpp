#pragma once

#include "domain/credential_use.hpp"
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

/// A key that was just made. Only hash and last4 are ever stored; the plaintext is shown once.
struct issued_key {
  std::string plaintext; ///< a prefix that tells its use, and 256 random bits in base64url
  std::string hash;      ///< as key_hash()
  std::string last4;     ///< its last four characters, for people to tell keys apart
};

/// `rk_…`: a landlord account's key for a booking engine, the header `svc-api-key` (Partner API,
/// Authentication, rule 4).
issued_key issue_account_key();

/// `wk_…`: marketplace A's key, the header `x-api-key` (Partner API, Authentication, rule 3).
issued_key issue_webhook_key();

/// `uk_…`: the key of a service that adds to the AI usage ledger.
issued_key issue_usage_key();

/// `tk_…`: the key of a tool server that asks about tokens.
issued_key issue_tool_server_key();

/// `ak_…`: a client's key for the tool server, in a user's name.
issued_key issue_api_key();

/// 256 random bits in base64url, without a prefix: a challenge, a remembered browser, a link.
std::string random_secret();

/// SHA-256 in hex. A key has 256 random bits, so that nothing slower is needed against guessing.
std::string key_hash(std::string_view plaintext);

/// Whether `presented` is the key of `hash`, in constant time.
bool key_matches(std::string_view presented, std::string_view hash);

/// When one credential was used last, to the minute. Any thread may note it: only the first use in a minute
/// writes.
class last_use {
public:
  using minutes = std::chrono::minutes;

  void note(std::chrono::system_clock::time_point now) {
    const auto minute = std::chrono::floor<minutes>(now).time_since_epoch().count();
    if (minute_.load(std::memory_order_relaxed) < minute) minute_.store(minute, std::memory_order_relaxed);
  }

  /// Whole minutes since 1970; 0: it was not used.
  std::int64_t minute() const { return minute_.load(std::memory_order_relaxed); }

private:
  std::atomic<std::int64_t> minute_{0};
};

/// The last uses of all credentials that count. For every thread.
class last_uses {
public:
  /// The same object for the same credential as long as somebody holds it, or its last use is not taken.
  std::shared_ptr<last_use> of(const domain::uuid& credential);

  /// Those that were used since they were taken last.
  std::vector<domain::credential_use> take();

private:
  struct noted {
    std::shared_ptr<last_use> use = std::make_shared<last_use>();
    std::int64_t taken = 0; ///< minutes
  };

  std::mutex mutex_;
  std::unordered_map<domain::uuid, noted, domain::uuid_hash> all_;
};

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
