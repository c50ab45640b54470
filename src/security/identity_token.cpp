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

/// Those of big issuers have a thousand to two thousand characters.
constexpr std::size_t longest_identity_token = 16 * 1024;
constexpr std::size_t least_rsa_bits = 2048; // RFC 7518, 3.3

/// The member's text; empty when it is missing or something else.
std::string_view text_at(const json& object, const char* name) {
  const auto found = object.FindMember(name);
  if (found == object.MemberEnd() || !found->value.IsString()) return {};
  return {found->value.GetString(), found->value.GetStringLength()};
}

/// Whether a member that says what a key is for allows `wanted`: without it everything is allowed.
bool allows(const json& key, const char* name, std::string_view wanted) {
  return !key.HasMember(name) || text_at(key, name) == wanted;
}

/// The algorithm that goes with a key; empty when it is none that is used here.
std::string_view algorithm_of(const json& key) {
  std::string_view algorithm;
  if (text_at(key, "kty") == "RSA") algorithm = CJOSE_HDR_ALG_RS256;
  if (text_at(key, "kty") == "EC" && text_at(key, "crv") == "P-256") algorithm = CJOSE_HDR_ALG_ES256;
  return allows(key, "alg", algorithm) && allows(key, "use", "sig") ? algorithm : std::string_view{};
}

owned_jwk imported(const json& key) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  key.Accept(writer);
  return owned_jwk{cjose_jwk_import(text.GetString(), text.GetSize(), nullptr)};
}

bool is_strong(const cjose_jwk_t& key, std::string_view algorithm) {
  return algorithm != CJOSE_HDR_ALG_RS256 || cjose_jwk_get_keysize(&key, nullptr) >= least_rsa_bits;
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

/// Some issuers write the boolean as a text.
bool has_verified_email(const json& claims) {
  const auto found = claims.FindMember("email_verified");
  return (found != claims.MemberEnd() && found->value.IsTrue()) ||
         text_at(claims, "email_verified") == "true";
}

/// Whether a moment, where the token has it, is of the right type and has come.
bool has_come(const json& claims, const char* name, double now) {
  if (!claims.HasMember(name)) return true;
  const auto moment = number_at(claims, name);
  return moment && *moment <= now + static_cast<double>(identity_clock_tolerance.count());
}

/// The claims of a token whose signature is good.
identity_verdict judged(const json& claims, const identity_expectation& expected, double now) {
  using enum identity_refusal;
  if (!claims.IsObject()) return malformed;
  if (text_at(claims, "iss") != expected.issuer) return wrong_issuer;
  if (!names_audience(claims, expected.audience)) return wrong_audience;
  const auto expires = number_at(claims, "exp");
  if (!expires) return malformed;
  if (now >= *expires) return expired;
  if (!has_come(claims, "nbf", now) || !has_come(claims, "iat", now)) return not_yet_valid;
  identity_claims who{expected.issuer, std::string(text_at(claims, "sub")),
                      std::string(text_at(claims, "email"))};
  if (who.subject.empty() || who.email.empty()) return malformed;
  if (!has_verified_email(claims)) return email_not_verified;
  return who;
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
    throw std::runtime_error("it is no JWK Set");
  for (const auto& each : set["keys"].GetArray()) {
    if (!each.IsObject()) continue;
    key made{std::string(text_at(each, "kid")), algorithm_of(each), nullptr};
    if (made.id.empty() || made.algorithm.empty()) continue;
    made.jwk = imported(each);
    if (made.jwk && is_strong(*made.jwk, made.algorithm)) keys_.push_back(std::move(made));
  }
  if (keys_.empty()) throw std::runtime_error("it has no key for RS256 or ES256");
}

identity_key_set::~identity_key_set() = default;
identity_key_set::identity_key_set(identity_key_set&&) noexcept = default;
identity_key_set& identity_key_set::operator=(identity_key_set&&) noexcept = default;

std::string_view to_string(identity_refusal why) {
  switch (why) {
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

/// A token as far as it is read.
struct token_reading {
  explicit token_reading(std::string_view token)
      : jws(token.size() <= longest_identity_token ? cjose_jws_import(token.data(), token.size(), nullptr)
                                                   : nullptr) {}

  std::string_view header(const char* name) const {
    const char* const text = cjose_header_get(cjose_jws_get_protected(jws.get()), name, nullptr);
    return text ? text : std::string_view{};
  }

  /// Extensions that must be understood (RFC 7515, 4.1.11): none is here, and the library does not look.
  bool wants_extensions() const {
    const std::unique_ptr<char, decltype(&std::free)> critical(
        cjose_header_get_raw(cjose_jws_get_protected(jws.get()), "crit", nullptr), &std::free);
    return critical != nullptr;
  }

  /// Why the signature cannot be trusted; nothing when it can.
  std::optional<identity_refusal> distrust(const identity_key_set& keys) const {
    if (!jws || wants_extensions()) return identity_refusal::malformed;
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
  const token_reading reading(token);
  if (const auto why = reading.distrust(keys)) return *why;
  const auto payload = reading.payload();
  rapidjson::Document claims;
  claims.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(payload.data(),
                                                                                       payload.size());
  if (claims.HasParseError()) return identity_refusal::malformed;
  return judged(claims, expected, std::chrono::duration<double>(now.time_since_epoch()).count());
}

} // namespace roost::security
