#include "security/access_token.hpp"

#include "security/random.hpp"

#include <array>

namespace roost::security {

namespace {

constexpr const char* type_claim = "typ"; // so that no other token of the same keys can stand in its place
constexpr const char* access_type = "access";
constexpr const char* session_claim = "sid";
constexpr const char* epoch_claim = "epoch";

struct connector_claim {
  const char* name;
  std::string access_claims::*member;
};
constexpr std::array<connector_claim, 3> connector_claims{{{"tokenSource", &access_claims::source},
                                                           {"client_id", &access_claims::client_id},
                                                           {"scope", &access_claims::scope}}};

std::optional<domain::uuid> uuid_claim(const jwt_reader& token, const char* name) {
  const auto text = token.text(name);
  return text ? domain::parse_uuid(*text) : std::nullopt;
}

} // namespace

std::string issue_access_token(const key_ring& keys, const access_claims& claims) {
  return issue_access_token({jwt_algorithm::hs256, keys.newest().key}, keys.newest().id, claims);
}

std::string issue_access_token(const jwt_key& key, const std::string& key_id, const access_claims& claims) {
  jwt_writer token(key, key_id);
  token.add(type_claim, access_type)
      .add("iss", claims.issuer)
      .add("aud", claims.audience)
      .add("sub", domain::to_string(claims.user_id))
      .add(session_claim, domain::to_string(claims.session_id))
      .add(epoch_claim, claims.epoch)
      .add("jti", domain::to_string(random_uuid())) // two of one second differ
      .add("iat", claims.issued)
      .add("exp", claims.expires);
  for (const auto& [name, member] : connector_claims)
    if (!(claims.*member).empty()) token.add(name, claims.*member);
  return token.text();
}

std::optional<access_claims> verify_access_token(const key_ring& keys, std::string_view text) {
  const auto key_id = key_id_of(text);
  const auto* key = key_id ? keys.find(*key_id) : nullptr;
  if (key == nullptr) return std::nullopt;
  return verify_access_token({jwt_algorithm::hs256, key->key}, text);
}

std::optional<access_claims> verify_access_token(const jwt_key& key, std::string_view text) {
  const auto token = jwt_reader::verified(text, key);
  if (!token || token->text(type_claim) != access_type) return std::nullopt;
  auto issuer = token->text("iss");
  auto audience = token->text("aud");
  const auto user = uuid_claim(*token, "sub");
  const auto session = uuid_claim(*token, session_claim);
  const auto epoch = token->number(epoch_claim);
  const auto issued = token->time("iat");
  const auto expires = token->time("exp");
  if (!issuer || !audience || !user || !session || !epoch || !issued || !expires || *expires <= *issued)
    return std::nullopt;
  access_claims claims{std::move(*issuer), std::move(*audience), *user, *session, *epoch, *issued, *expires};
  for (const auto& [name, member] : connector_claims) claims.*member = token->text(name).value_or("");
  return claims;
}

} // namespace roost::security
