#include "security/token.hpp"

#include "security/jwt.hpp"
#include "security/random.hpp"

namespace roost::security {

namespace {

constexpr const char* platform_claim = "platform";
constexpr const char* id_claim = "jti";      // RFC 7519, 4.1.7
constexpr const char* issued_claim = "iat";  // RFC 7519, 4.1.6
constexpr const char* expires_claim = "exp"; // RFC 7519, 4.1.4

std::string signed_text(const token_claims& claims, const signing_key& key) {
  return jwt_writer(key)
      .add(platform_claim, claims.platform)
      .add(id_claim, domain::to_string(claims.id))
      .add(issued_claim, claims.issued)
      .add(expires_claim, claims.expires)
      .text();
}

} // namespace

issued_token issue_token(const signing_key& key, const std::string& platform,
                         std::chrono::system_clock::time_point now, std::chrono::seconds lifetime) {
  const auto issued = std::chrono::floor<std::chrono::seconds>(now);
  const token_claims claims{platform, random_uuid(), issued, issued + lifetime};
  return {signed_text(claims, key), claims};
}

std::optional<token_claims> verify_token(const signing_key& key, std::string_view text) {
  const auto token = jwt_reader::verified(text, key);
  if (!token) return std::nullopt;
  auto platform = token->text(platform_claim);
  const auto id_text = token->text(id_claim);
  const auto id = id_text ? domain::parse_uuid(*id_text) : std::nullopt;
  const auto issued = token->time(issued_claim);
  const auto expires = token->time(expires_claim);
  if (!platform || !id || !issued || !expires || *expires <= *issued) return std::nullopt;
  return token_claims{std::move(*platform), *id, *issued, *expires};
}

std::optional<token_claims> verify_token(const signing_key& key, std::string_view text,
                                         std::chrono::system_clock::time_point now) {
  auto claims = verify_token(key, text);
  if (claims && now >= claims->expires) return std::nullopt;
  return claims;
}

} // namespace roost::security
