#include "security/jwt.hpp"

#include "security/jose.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace roost::security {

namespace {

/// Our tokens have 400 to 1,500 characters; longer texts are rejected without parsing.
constexpr std::size_t max_token_size = 2048;

void require(bool success, const char* error) {
  if (!success) throw std::runtime_error(std::string("cannot create a token: ") + error);
}

/// Returns whether the bits that base64url leaves unused at the end of the signature are zero (RFC
/// 4648, 3.5). cjose ignores them, so one signature would have several texts.
bool ends_canonically(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const auto remainder = (text.size() - (text.rfind('.') + 1)) % 4;
  const unsigned unused_bits = remainder == 2 ? 4 : remainder == 3 ? 2 : 0;
  return digits.find(text.back()) % (1U << unused_bits) == 0;
}

/// Returns whether the text consists of base64url characters and dots, and has the only encoding of its
/// signature.
bool looks_like_token(std::string_view text) {
  const auto allowed = [](char c) { return is_base64url_character(c) || c == '.'; };
  return !text.empty() && text.size() <= max_token_size && std::ranges::all_of(text, allowed) &&
         ends_canonically(text);
}

owned_jws parse_token(std::string_view text) {
  return owned_jws(looks_like_token(text) ? cjose_jws_import(text.data(), text.size(), nullptr) : nullptr);
}

std::string json_string(std::string_view text) {
  rapidjson::StringBuffer json;
  rapidjson::Writer(json).String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  return {json.GetString(), json.GetSize()};
}

} // namespace

struct jwt_key::material {
  const char* algorithm;
  owned_jwk key;
};

jwt_key::jwt_key(const signing_key& secret) {
  owned_jwk key(cjose_jwk_create_oct_spec(secret.data(), secret.size(), nullptr));
  require(key != nullptr, "key rejected");
  material_ = std::make_shared<const material>(material{CJOSE_HDR_ALG_HS256, std::move(key)});
}

jwt_key::jwt_key(const ec_key& pair) {
  auto copy = pair; // the library takes non-const pointers
  const cjose_jwk_ec_keyspec spec{CJOSE_JWK_EC_P_256, copy.d.data(), copy.d.size(), copy.x.data(),
                                  copy.x.size(),      copy.y.data(), copy.y.size()};
  owned_jwk key(cjose_jwk_create_EC_spec(&spec, nullptr));
  require(key != nullptr, "key rejected");
  material_ = std::make_shared<const material>(material{CJOSE_HDR_ALG_ES256, std::move(key)});
}

jwt_writer::jwt_writer(jwt_key key, std::string key_id) : key_(std::move(key)), key_id_(std::move(key_id)) {}

void jwt_writer::add_name(const char* claim) {
  claims_ += claims_.empty() ? '{' : ',';
  claims_ += json_string(claim) + ':';
}

jwt_writer& jwt_writer::add(const char* claim, const std::string& value) {
  add_name(claim);
  claims_ += json_string(value);
  return *this;
}

jwt_writer& jwt_writer::add(const char* claim, std::int64_t value) {
  add_name(claim);
  claims_ += std::to_string(value);
  return *this;
}

jwt_writer& jwt_writer::add(const char* claim, std::chrono::sys_seconds time) {
  return add(claim, static_cast<std::int64_t>(time.time_since_epoch().count()));
}

std::string jwt_writer::text() const {
  const owned_header header(cjose_header_new(nullptr));
  const auto set = [&](const char* name, const char* value) {
    require(header && cjose_header_set(header.get(), name, value, nullptr), name);
  };
  set(CJOSE_HDR_ALG, (*key_).algorithm);
  set("typ", "JWT");
  if (!key_id_.empty()) set(CJOSE_HDR_KID, key_id_.c_str());
  const auto claims = claims_ + '}';
  const owned_jws token(cjose_jws_sign((*key_).key.get(), header.get(),
                                       reinterpret_cast<const std::uint8_t*>(claims.data()), claims.size(),
                                       nullptr));
  const char* text = nullptr;
  require(token && cjose_jws_export(token.get(), &text, nullptr), "encoding failed");
  return text; // copied, because the token owns it
}

struct jwt_reader::document {
  rapidjson::Document json;
};

std::optional<jwt_reader> jwt_reader::verified(std::string_view text, const jwt_key& key) {
  const auto token = parse_token(text);
  if (!token || header_of(*token, CJOSE_HDR_ALG) != (*key).algorithm ||
      !cjose_jws_verify(token.get(), (*key).key.get(), nullptr))
    return std::nullopt;
  auto claims = std::make_shared<document>();
  if (!parse_payload(*token, claims->json) || !claims->json.IsObject()) return std::nullopt;
  return jwt_reader(std::move(claims));
}

std::optional<std::string> jwt_reader::text(const char* claim) const {
  const auto value = text_at(claims_->json, claim);
  return value.empty() ? std::nullopt : std::optional<std::string>(value);
}

std::optional<domain::uuid> jwt_reader::id(const char* claim) const {
  return domain::parse_uuid(text_at(claims_->json, claim));
}

std::optional<std::int64_t> jwt_reader::number(const char* claim) const {
  const auto* value = find_member(claims_->json, claim);
  return value && value->IsInt64() ? std::optional(value->GetInt64()) : std::nullopt;
}

std::optional<std::chrono::sys_seconds> jwt_reader::time(const char* claim) const {
  const auto seconds = number(claim);
  if (!seconds || *seconds <= 0) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(*seconds));
}

std::optional<std::string> key_id_of(std::string_view text) {
  const auto token = parse_token(text);
  const auto id = token ? header_of(*token, CJOSE_HDR_KID) : std::nullopt;
  return id ? std::optional<std::string>(*id) : std::nullopt;
}

} // namespace roost::security
