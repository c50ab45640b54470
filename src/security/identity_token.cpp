#include "security/identity_token.hpp"

#include "security/jose.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace roost::security {

namespace {

using json = rapidjson::Value;

/// Large issuers' tokens have 1,000 to 2,000 characters.
constexpr std::size_t max_identity_token_size = 16 * 1024;
constexpr std::size_t min_rsa_bits = 2048; // RFC 7518, 3.3

/// Returns the member's text; empty if it is missing or not a string.
std::string_view text_at(const json& object, const char* name) {
  const auto found = object.FindMember(name);
  if (found == object.MemberEnd() || !found->value.IsString()) return {};
  return {found->value.GetString(), found->value.GetStringLength()};
}

/// Returns whether a member that restricts a key's use permits `use`; without the member, every use is
/// permitted.
bool permits_use(const json& key, const char* name, std::string_view use) {
  return !key.HasMember(name) || text_at(key, name) == use;
}

/// Returns the algorithm of a key; empty if it is not supported.
std::string_view algorithm_of(const json& key) {
  std::string_view algorithm;
  if (text_at(key, "kty") == "RSA") algorithm = CJOSE_HDR_ALG_RS256;
  if (text_at(key, "kty") == "EC" && text_at(key, "crv") == "P-256") algorithm = CJOSE_HDR_ALG_ES256;
  return permits_use(key, "alg", algorithm) && permits_use(key, "use", "sig") ? algorithm
                                                                              : std::string_view{};
}

owned_jwk import_key(const json& key) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  key.Accept(writer);
  return owned_jwk{cjose_jwk_import(text.GetString(), text.GetSize(), nullptr)};
}

bool is_strong(const cjose_jwk_t& key, std::string_view algorithm) {
  return algorithm != CJOSE_HDR_ALG_RS256 || cjose_jwk_get_keysize(&key, nullptr) >= min_rsa_bits;
}

std::optional<double> number_at(const json& claims, const char* name) {
  const auto found = claims.FindMember(name);
  if (found == claims.MemberEnd() || !found->value.IsNumber()) return std::nullopt;
  return found->value.GetDouble();
}

bool names_audience(const json& claims, std::string_view audience) {
  if (text_at(claims, "aud") == audience) return true;
  const auto found = claims.FindMember("aud");
  if (found == claims.MemberEnd() || !found->value.IsArray()) return false;
  return std::ranges::any_of(found->value.GetArray(), [&](const json& each) {
    return each.IsString() && std::string_view(each.GetString(), each.GetStringLength()) == audience;
  });
}

/// Some issuers send the boolean as a string.
bool has_verified_email(const json& claims) {
  const auto found = claims.FindMember("email_verified");
  return (found != claims.MemberEnd() && found->value.IsTrue()) ||
         text_at(claims, "email_verified") == "true";
}

/// Returns whether a time claim is absent, or is a number and has been reached.
bool absent_or_reached(const json& claims, const char* name, double now) {
  if (!claims.HasMember(name)) return true;
  const auto time = number_at(claims, name);
  return time && *time <= now + static_cast<double>(identity_clock_tolerance.count());
}

/// Checks the claims of a token with a valid signature.
identity_verdict check_claims(const json& claims, const identity_expectation& expected, double now) {
  using enum identity_refusal;
  if (!claims.IsObject()) return malformed;
  if (text_at(claims, "iss") != expected.issuer) return wrong_issuer;
  if (!names_audience(claims, expected.audience)) return wrong_audience;
  const auto expires = number_at(claims, "exp");
  if (!expires) return malformed;
  if (now >= *expires) return expired;
  if (!absent_or_reached(claims, "nbf", now) || !absent_or_reached(claims, "iat", now)) return not_yet_valid;
  identity_claims identity{expected.issuer, std::string(text_at(claims, "sub")),
                           std::string(text_at(claims, "email"))};
  if (identity.subject.empty() || identity.email.empty()) return malformed;
  if (!has_verified_email(claims)) return email_not_verified;
  return identity;
}

} // namespace

struct identity_key_set::key {
  std::string id;
  std::string_view algorithm;
  owned_jwk jwk;
};

identity_key_set::identity_key_set(std::string_view text) {
  rapidjson::Document set;
  set.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (set.HasParseError() || !set.IsObject() || !set.HasMember("keys") || !set["keys"].IsArray())
    throw std::runtime_error("it is not a JWK Set");
  for (const auto& each : set["keys"].GetArray()) {
    if (!each.IsObject()) continue;
    key parsed{std::string(text_at(each, "kid")), algorithm_of(each), nullptr};
    if (parsed.id.empty() || parsed.algorithm.empty()) continue;
    parsed.jwk = import_key(each);
    if (parsed.jwk && is_strong(*parsed.jwk, parsed.algorithm)) keys_.push_back(std::move(parsed));
  }
  if (keys_.empty()) throw std::runtime_error("it has no key for RS256 or ES256");
}

identity_key_set::~identity_key_set() = default;
identity_key_set::identity_key_set(identity_key_set&&) noexcept = default;
identity_key_set& identity_key_set::operator=(identity_key_set&&) noexcept = default;

std::string_view to_string(identity_refusal refusal) {
  switch (refusal) {
  case identity_refusal::malformed:
    return "malformed";
  case identity_refusal::unknown_key:
    return "unknown_key";
  case identity_refusal::wrong_algorithm:
    return "wrong_algorithm";
  case identity_refusal::bad_signature:
    return "bad_signature";
  case identity_refusal::wrong_issuer:
    return "wrong_issuer";
  case identity_refusal::wrong_audience:
    return "wrong_audience";
  case identity_refusal::expired:
    return "expired";
  case identity_refusal::not_yet_valid:
    return "not_yet_valid";
  case identity_refusal::email_not_verified:
    return "email_not_verified";
  }
  throw std::logic_error("unknown value");
}

/// A parsed token, not yet verified; `jws` is null if the text is malformed.
struct parsed_token {
  explicit parsed_token(std::string_view token)
      : jws(token.size() <= max_identity_token_size ? cjose_jws_import(token.data(), token.size(), nullptr)
                                                    : nullptr) {}

  std::string_view header(const char* name) const {
    const char* const text = cjose_header_get(cjose_jws_get_protected(jws.get()), name, nullptr);
    return text ? text : std::string_view{};
  }

  /// Returns whether the token has critical extensions (RFC 7515, 4.1.11). None is supported, and the library
  /// does not check.
  bool has_critical_extensions() const {
    const std::unique_ptr<char, decltype(&std::free)> critical(
        cjose_header_get_raw(cjose_jws_get_protected(jws.get()), "crit", nullptr), &std::free);
    return critical != nullptr;
  }

  /// Returns why the signature is not trusted, or nullopt if it is.
  std::optional<identity_refusal> signature_error(const identity_key_set& keys) const {
    if (!jws || has_critical_extensions()) return identity_refusal::malformed;
    const auto algorithm = header(CJOSE_HDR_ALG), id = header(CJOSE_HDR_KID);
    if (algorithm != CJOSE_HDR_ALG_RS256 && algorithm != CJOSE_HDR_ALG_ES256)
      return identity_refusal::wrong_algorithm;
    const auto found = std::ranges::find(keys.keys_, id, &identity_key_set::key::id);
    if (found == keys.keys_.end()) return identity_refusal::unknown_key;
    if (found->algorithm != algorithm) return identity_refusal::wrong_algorithm;
    if (!cjose_jws_verify(jws.get(), found->jwk.get(), nullptr)) return identity_refusal::bad_signature;
    return std::nullopt;
  }

  std::string_view payload() const {
    std::uint8_t* bytes = nullptr;
    std::size_t size = 0;
    if (!cjose_jws_get_plaintext(jws.get(), &bytes, &size, nullptr)) return {};
    return {reinterpret_cast<const char*>(bytes), size};
  }

  owned_jws jws;
};

identity_verdict verify_identity_token(const identity_key_set& keys, const identity_expectation& expected,
                                       std::string_view token, std::chrono::system_clock::time_point now) {
  const parsed_token parsed(token);
  if (const auto error = parsed.signature_error(keys)) return *error;
  const auto payload = parsed.payload();
  rapidjson::Document claims;
  claims.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(payload.data(),
                                                                                       payload.size());
  if (claims.HasParseError()) return identity_refusal::malformed;
  return check_claims(claims, expected, std::chrono::duration<double>(now.time_since_epoch()).count());
}

} // namespace roost::security
