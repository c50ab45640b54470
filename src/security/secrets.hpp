#pragma once

#include "security/digest.hpp"

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
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

/// The secrets file cannot be used; what() is one line for the operator and holds no secret.
class secrets_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// What the service must keep to itself.
struct secrets {
  signing_key token_key; ///< for partner tokens
  key_ring session_keys; ///< for all that signing in needs

  /// Tells the key of partner tokens from others, and does not tell it.
  std::string fingerprint() const;

  /// Reads the file; nothing when there is none. Throws secrets_error as load_or_create() does.
  static std::optional<secrets> load(const std::filesystem::path& path);

  /// Reads the file, or makes it with new secrets when there is none: mode 0600, in a folder made with 0700.
  /// Of several processes that start at once one makes the file and all read the same. Throws secrets_error
  /// for a file that others than its owner may read, and for one that does not hold what it must: nothing is
  /// ever replaced, since that would end every token.
  static secrets load_or_create(const std::filesystem::path& path);
};

/// How long a key of sessions still counts after another took its place: longer than anything it signed.
inline constexpr std::chrono::days kept_after_rotation{90};

/// Makes a new key of sessions the newest, and drops those that were replaced longer ago than
/// kept_after_rotation. With `drop_all` no older one is left, which signs everybody out. The file is replaced
/// at once, never half written. Returns the new key's id. Throws secrets_error.
std::string rotate_session_keys(const std::filesystem::path& path, std::chrono::sys_seconds now,
                                bool drop_all = false);

} // namespace roost::security
