#include "security/identity_token.hpp"

#include "domain/entered_text.hpp"
#include "domain/storable_text.hpp"
#include "security/digest.hpp"
#include "security/jose.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace roost::security {

struct identity_key_set::key {
  std::string id;
  std::string_view algorithm;
  owned_jwk jwk;
};

namespace {

using json = rapidjson::Value;

/// Large issuers' tokens have 1,000 to 2,000 characters.
constexpr std::size_t max_identity_token_size = 16 * 1024;
constexpr std::size_t min_rsa_bits = 2048; // RFC 7518, 3.3

/// Returns whether a member that restricts a key's use is missing or permits `use`.
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

/// Returns whether the library can decode the numbers of a key. Checks repeated members, too: the library
/// uses the last one.
bool has_decodable_numbers(const json& key) {
  constexpr std::array<std::string_view, 10> numbers{"n", "e", "d", "p", "q", "dp", "dq", "qi", "x", "y"};
  return std::ranges::all_of(key.GetObject(), [&](const auto& member) {
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    if (!member.value.IsString() || std::ranges::find(numbers, name) == numbers.end()) return true;
    const std::string_view text(member.value.GetString(), member.value.GetStringLength());
    return std::ranges::all_of(text, is_base64url_character);
  });
}

owned_jwk import_key(const json& key) {
  if (!has_decodable_numbers(key)) return nullptr;
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  key.Accept(writer);
  return owned_jwk{cjose_jwk_import(text.GetString(), text.GetSize(), nullptr)};
}

bool is_strong(const cjose_jwk_t& key, std::string_view algorithm) {
  return algorithm != CJOSE_HDR_ALG_RS256 || cjose_jwk_get_keysize(&key, nullptr) >= min_rsa_bits;
}

std::optional<double> number_at(const json& claims, const char* name) {
  const auto* const value = find_member(claims, name);
  return value && value->IsNumber() ? std::optional(value->GetDouble()) : std::nullopt;
}

bool names_audience(const json& claims, std::string_view audience) {
  const auto names = [&](const json& value) {
    return value.IsString() && std::string_view(value.GetString(), value.GetStringLength()) == audience;
  };
  const auto* const value = find_member(claims, "aud");
  return value && (value->IsArray() ? std::ranges::any_of(value->GetArray(), names) : names(*value));
}

/// Some issuers send the boolean as a string.
bool has_verified_email(const json& claims) {
  const auto* const value = find_member(claims, "email_verified");
  return (value && value->IsTrue()) || text_at(claims, "email_verified") == "true";
}

/// Returns whether a time claim is absent, or is a number and has been reached.
bool absent_or_reached(const json& claims, const char* name, double now) {
  if (!claims.HasMember(name)) return true;
  const auto time = number_at(claims, name);
  return time && *time <= now + static_cast<double>(identity_clock_tolerance.count());
}

/// Returns the end of the second in which a token expires, no later than the end of the year 9999.
std::chrono::sys_seconds expiry_of(double seconds) {
  constexpr double end_of_9999 = 253'402'300'799;
  return std::chrono::sys_seconds{
      std::chrono::seconds{static_cast<std::int64_t>(std::ceil(std::min(seconds, end_of_9999)))}};
}

/// Returns whether a claim identifies someone.
bool is_identifying(std::string_view claim) { return !claim.empty() && domain::is_storable(claim); }

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
                           std::string(text_at(claims, "email")), expiry_of(*expires)};
  if (!is_identifying(identity.subject) || !is_identifying(identity.email)) return malformed;
  if (!has_verified_email(claims)) return email_not_verified;
  return identity;
}

/// Returns whether the token has critical extensions (RFC 7515, 4.1.11), which the library ignores.
bool has_critical_extensions(cjose_jws_t& token) {
  const std::unique_ptr<char, decltype(&std::free)> critical(
      cjose_header_get_raw(cjose_jws_get_protected(&token), "crit", nullptr), &std::free);
  return critical != nullptr;
}

/// Returns why the signature is not trusted, or nullopt if it is.
std::optional<identity_refusal> signature_error(cjose_jws_t& token,
                                                const std::vector<identity_key_set::key>& keys) {
  using enum identity_refusal;
  if (has_critical_extensions(token)) return malformed;
  const auto algorithm = header_of(token, CJOSE_HDR_ALG), id = header_of(token, CJOSE_HDR_KID);
  if (algorithm != CJOSE_HDR_ALG_RS256 && algorithm != CJOSE_HDR_ALG_ES256) return wrong_algorithm;
  const auto found = std::ranges::find(keys, id.value_or(""), &identity_key_set::key::id);
  if (found == keys.end()) return unknown_key;
  if (found->algorithm != algorithm) return wrong_algorithm;
  if (!cjose_jws_verify(&token, found->jwk.get(), nullptr)) return bad_signature;
  return std::nullopt;
}

} // namespace

identity_key_set::identity_key_set(std::string_view text) {
  text = domain::without_byte_order_mark(text);
  rapidjson::Document set;
  set.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (set.HasParseError() || !set.IsObject() || !set.HasMember("keys") || !set["keys"].IsArray())
    throw std::runtime_error("it is not a JWK Set");
  std::vector<key> keys;
  for (const auto& each : set["keys"].GetArray()) {
    if (!each.IsObject()) continue;
    key parsed{std::string(text_at(each, "kid")), algorithm_of(each), nullptr};
    if (parsed.id.empty() || parsed.algorithm.empty()) continue;
    parsed.jwk = import_key(each);
    if (parsed.jwk && is_strong(*parsed.jwk, parsed.algorithm)) keys.push_back(std::move(parsed));
  }
  if (keys.empty()) throw std::runtime_error("it has no key for RS256 or ES256");
  keys_ = std::make_shared<const std::vector<key>>(std::move(keys));
}

std::string_view to_string(identity_refusal refusal) {
  static constexpr std::array<std::string_view, 9> names{
      "malformed",      "unknown_key", "wrong_algorithm", "bad_signature",     "wrong_issuer",
      "wrong_audience", "expired",     "not_yet_valid",   "email_not_verified"};
  return names[static_cast<std::size_t>(refusal)];
}

std::string identity_token_hash(std::string_view token) {
  return to_hex(sha256(token.substr(0, token.rfind('.'))));
}

identity_verdict verify_identity_token(const identity_key_set& keys, const identity_expectation& expected,
                                       std::string_view token, std::chrono::system_clock::time_point now) {
  const auto allowed = [](char c) { return is_base64url_character(c) || c == '.'; };
  const owned_jws parsed(token.size() <= max_identity_token_size && std::ranges::all_of(token, allowed)
                             ? cjose_jws_import(token.data(), token.size(), nullptr)
                             : nullptr);
  if (!parsed) return identity_refusal::malformed;
  if (const auto error = signature_error(*parsed, keys.keys())) return *error;
  rapidjson::Document claims;
  if (!parse_payload<rapidjson::kParseValidateEncodingFlag>(*parsed, claims))
    return identity_refusal::malformed;
  return check_claims(claims, expected, std::chrono::duration<double>(now.time_since_epoch()).count());
}

} // namespace roost::security
