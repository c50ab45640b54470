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

/// A key that signs tokens.
using signing_key = std::array<unsigned char, 32>;

struct named_key {
  std::string id; ///< included in everything that the key signs
  signing_key key{};
  std::chrono::sys_seconds made_at{};
};

/// The session keys. The newest signs; older ones still verify, so that rotating keys signs out no users.
class key_ring {
public:
  /// Takes at least one key, the newest first.
  explicit key_ring(std::vector<named_key> keys) : keys_(std::move(keys)) {}

  const named_key& newest() const { return keys_.front(); }
  const std::vector<named_key>& all() const { return keys_; }
  /// Returns null if the key is unknown or has been dropped.
  const named_key* find(std::string_view id) const;

private:
  std::vector<named_key> keys_;
};

/// Computes a keyed hash (HMAC-SHA-256) of a text, separated from the hashes of other purposes.
sha256_digest keyed_hash(const signing_key& key, std::string_view purpose, std::string_view text);

/// Returns the stored form of a short secret, such as an emailed code. It cannot be guessed without the keys.
std::string sealed(const key_ring& keys, std::string_view purpose, std::string_view text);

/// Returns whether `seal` is a seal of this text. Compares in constant time.
bool seal_matches(const key_ring& keys, std::string_view purpose, std::string_view text,
                  std::string_view seal);

/// Returns the digest by which repeats of a submission are recognized, even after its guest has been erased.
/// It is a keyed hash: without the key, guesses about personal data cannot be checked against it. Begins with
/// the key's id and a colon.
std::string submission_digest(const signing_key& key, std::string_view canonical_text);

/// Thrown if the secrets file is unusable; what() is one line for the operator and contains no secret.
class secrets_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The contents of the secrets file.
struct secrets {
  signing_key token_key;                          ///< signs partner tokens
  key_ring session_keys;                          ///< for everything that sign-in needs
  std::vector<signing_key> replaced_token_keys{}; ///< still verify partner tokens; the newest first
  signing_key submission_key{};                   ///< for the digests of submissions; never replaced

  /// Returns all keys that verify partner tokens, the newest first.
  std::vector<signing_key> token_keys() const;

  /// Identifies the oldest partner token key without revealing it. So adding a key does not change it.
  std::string fingerprint() const;

  /// Reads the file; returns nullopt if it does not exist. Throws secrets_error as load_or_create() does.
  static std::optional<secrets> load(const std::filesystem::path& path);

  /// Reads the file. If it does not exist, creates it with new secrets and mode 0600, in a folder created
  /// with 0700. If several processes start simultaneously, one creates the file and all read the same
  /// secrets. Throws secrets_error if users other than the owner may access the file, or if it is incomplete.
  /// Never replaces an existing file, since that would invalidate every token.
  static secrets load_or_create(const std::filesystem::path& path);
};

/// How long a session key remains valid after its replacement: longer than anything it signed.
inline constexpr std::chrono::days kept_after_rotation{90};

/// Adds a new session key and drops those that were replaced longer ago than kept_after_rotation. `drop_all`
/// drops all older keys, which signs out every user. If the clock may be ahead, `earlier` is the time by
/// which ages are computed. The file is replaced atomically. Returns the new key's id. Throws secrets_error.
std::string rotate_session_keys(const std::filesystem::path& path, std::chrono::sys_seconds now,
                                bool drop_all = false,
                                std::optional<std::chrono::sys_seconds> earlier = std::nullopt);

/// Adds a new key that signs partner tokens; the older ones still verify them. The file is replaced
/// atomically. Returns the number of keys. Throws secrets_error.
std::size_t rotate_token_key(const std::filesystem::path& path);

/// Drops all partner token keys except the newest, which invalidates the tokens that they signed and changes
/// the fingerprint. The file is replaced atomically. Returns how many were dropped. Throws secrets_error.
std::size_t drop_replaced_token_keys(const std::filesystem::path& path);

} // namespace roost::security
