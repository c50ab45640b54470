#include "security/token.hpp"

#include "security/random.hpp"

#include <jwt.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace roost::security {

namespace {

constexpr const char* platform_claim = "platform";
constexpr const char* id_claim = "jti";      // RFC 7519, 4.1.7
constexpr const char* issued_claim = "iat";  // RFC 7519, 4.1.6
constexpr const char* expires_claim = "exp"; // RFC 7519, 4.1.4

/// Ours have about 250 characters. What is longer is not worth a look.
constexpr std::size_t longest_token = 1024;

struct jwt_deleter {
  void operator()(jwt_t* jwt) const { jwt_free(jwt); }
};
using owned_jwt = std::unique_ptr<jwt_t, jwt_deleter>;

struct c_string_deleter {
  void operator()(char* text) const { std::free(text); }
};

void require(int result, const char* what) {
  if (result != 0) throw std::runtime_error(std::string("cannot make a token: ") + what);
}

std::string signed_text(const token_claims& claims, const signing_key& key) {
  jwt_t* created = nullptr;
  require(jwt_new(&created), "no memory");
  const owned_jwt jwt(created);
  require(jwt_set_alg(jwt.get(), JWT_ALG_HS256, key.data(), static_cast<int>(key.size())), "key refused");
  require(jwt_add_grant(jwt.get(), platform_claim, claims.platform.c_str()), platform_claim);
  require(jwt_add_grant(jwt.get(), id_claim, domain::to_string(claims.id).c_str()), id_claim);
  require(jwt_add_grant_int(jwt.get(), issued_claim, claims.issued.time_since_epoch().count()), issued_claim);
  require(jwt_add_grant_int(jwt.get(), expires_claim, claims.expires.time_since_epoch().count()),
          expires_claim);
  const std::unique_ptr<char, c_string_deleter> text(jwt_encode_str(jwt.get()));
  require(text == nullptr ? -1 : 0, "not encoded");
  return text.get();
}

/// Letters of base64url and the two dots: a zero among them would hide the rest from the library.
bool looks_like_a_token(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= longest_token && std::ranges::all_of(text, allowed);
}

/// Decodes what `key` signed with HMAC-SHA-256. The algorithm is ours to choose, not the token's.
owned_jwt decode(std::string_view text, const signing_key& key) {
  jwt_t* decoded = nullptr;
  const std::string terminated(text);
  if (jwt_decode(&decoded, terminated.c_str(), key.data(), static_cast<int>(key.size())) != 0) return nullptr;
  owned_jwt jwt(decoded);
  if (jwt_get_alg(jwt.get()) != JWT_ALG_HS256) return nullptr;
  return jwt;
}

/// Seconds since 1970; the library gives 0 for what is no integer and -1 for what is not there.
std::optional<std::chrono::sys_seconds> time_claim(jwt_t* jwt, const char* name) {
  const long seconds = jwt_get_grant_int(jwt, name);
  if (seconds <= 0) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(seconds));
}

} // namespace

issued_token issue_token(const signing_key& key, const std::string& platform,
                         std::chrono::system_clock::time_point now, std::chrono::seconds lifetime) {
  const auto issued = std::chrono::floor<std::chrono::seconds>(now);
  const token_claims claims{platform, random_uuid(), issued, issued + lifetime};
  return {signed_text(claims, key), claims};
}

std::optional<token_claims> verify_token(const signing_key& key, std::string_view text) {
  if (!looks_like_a_token(text)) return std::nullopt;
  const auto jwt = decode(text, key);
  if (!jwt) return std::nullopt;
  const char* platform = jwt_get_grant(jwt.get(), platform_claim);
  const char* id_text = jwt_get_grant(jwt.get(), id_claim);
  if (platform == nullptr || *platform == '\0' || id_text == nullptr) return std::nullopt;
  const auto id = domain::parse_uuid(id_text);
  const auto issued = time_claim(jwt.get(), issued_claim);
  const auto expires = time_claim(jwt.get(), expires_claim);
  if (!id || !issued || !expires || *expires <= *issued) return std::nullopt;
  return token_claims{platform, *id, *issued, *expires};
}

std::optional<token_claims> verify_token(const signing_key& key, std::string_view text,
                                         std::chrono::system_clock::time_point now) {
  auto claims = verify_token(key, text);
  if (claims && now >= claims->expires) return std::nullopt;
  return claims;
}

} // namespace roost::security
