#pragma once

#include "domain/uuid.hpp"
#include "security/live_keys.hpp"
#include "security/secrets.hpp"
#include "security/token_shards.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace roost::security {

/// What a partner token says (Partner API, Authentication, rule 1). Times are whole seconds of UTC.
struct token_claims {
  std::string platform; ///< the platform's name
  domain::uuid id;
  std::chrono::sys_seconds issued;
  std::chrono::sys_seconds expires;

  bool operator==(const token_claims&) const = default;
};

/// A token that was just made. Only the claims are stored; the text is shown once.
struct issued_token {
  std::string text; ///< opaque to partners; a JWT (RFC 7519) signed with HMAC-SHA-256
  token_claims claims;
};

/// Makes a token that is good for `lifetime`, at least a second, from `now` on. Throws std::runtime_error
/// when it cannot be signed.
issued_token issue_token(const signing_key& key, const std::string& platform,
                         std::chrono::system_clock::time_point now, std::chrono::seconds lifetime);

/// The claims of a token that this key signed, whether or not it has expired. Every other text is none:
/// another algorithm or key, missing or odd claims, anything changed.
std::optional<token_claims> verify_token(const signing_key& key, std::string_view text);

/// The same, and it has not expired at `now`.
std::optional<token_claims> verify_token(const signing_key& key, std::string_view text,
                                         std::chrono::system_clock::time_point now);

/// The tokens that the store holds as issued and not ended, by id. What is let in is noted as a use.
using live_tokens = std::unordered_map<domain::uuid, std::shared_ptr<last_use>, domain::uuid_hash>;

/// Decides for every request of a partner whether its token is let in (Partner API, Authentication, rules 1
/// and 7). Safe to use from every thread at once.
///
/// A token's signature is checked when it is first seen, then remembered under its whole text; its lifetime,
/// its platform and whether it is among the live ones are looked at every time.
class token_verifier {
public:
  /// No token is live before replace_live().
  explicit token_verifier(const signing_key& key);

  /// Whether `text` is a live token for `platform` that has not expired at `now`. A token whose row is gone
  /// is refused like one that was ended.
  bool accepts(std::string_view text, std::string_view platform,
               std::chrono::system_clock::time_point now) const;

  /// Which token this is; nothing for a text that was not signed here.
  std::optional<domain::uuid> id_of(std::string_view text) const;

  /// Takes the store's present list. Calls of accepts() that begin later go by it.
  void replace_live(std::shared_ptr<const live_tokens> live);

private:
  signing_key key_;
  mutable token_shards<token_claims, live_tokens, 256> shards_;
};

} // namespace roost::security
