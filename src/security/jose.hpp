#pragma once

#include <rapidjson/document.h>

#include <cjose/cjose.h>
#include <memory>
#include <optional>
#include <string_view>

/// Reading signed tokens (RFC 7515) with cjose, and the members of their JSON.
namespace roost::security {

struct cjose_deleter {
  void operator()(cjose_jwk_t* key) const { cjose_jwk_release(key); }
  void operator()(cjose_jws_t* token) const { cjose_jws_release(token); }
  void operator()(cjose_header_t* header) const { cjose_header_release(header); }
};
using owned_jwk = std::unique_ptr<cjose_jwk_t, cjose_deleter>;
using owned_jws = std::unique_ptr<cjose_jws_t, cjose_deleter>;
using owned_header = std::unique_ptr<cjose_header_t, cjose_deleter>;

/// Returns whether a character belongs to base64url (RFC 4648, 5). cjose ends the process at some texts with
/// others, such as a padding in the middle: check untrusted texts first.
constexpr bool is_base64url_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// Returns a parameter of the protected header, valid as long as the token; nullopt if it is missing.
inline std::optional<std::string_view> header_of(cjose_jws_t& token, const char* name) {
  const char* const value = cjose_header_get(cjose_jws_get_protected(&token), name, nullptr);
  return value ? std::optional<std::string_view>(value) : std::nullopt;
}

/// Parses the payload into `claims`; false if it is not valid JSON. `Flags` are added to RapidJSON's.
template <unsigned Flags = 0>
bool parse_payload(cjose_jws_t& token, rapidjson::Document& claims) {
  std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  if (!cjose_jws_get_plaintext(&token, &bytes, &size, nullptr)) return false;
  claims.Parse<rapidjson::kParseIterativeFlag | Flags>(reinterpret_cast<const char*>(bytes), size);
  return !claims.HasParseError();
}

/// Returns the member of an object; null if it is missing.
inline const rapidjson::Value* find_member(const rapidjson::Value& object, const char* name) {
  const auto member = object.FindMember(name);
  return member == object.MemberEnd() ? nullptr : &member->value;
}

/// Returns the member's text; empty if it is missing or not a string.
inline std::string_view text_at(const rapidjson::Value& object, const char* name) {
  const auto* const value = find_member(object, name);
  return value && value->IsString() ? std::string_view(value->GetString(), value->GetStringLength())
                                    : std::string_view{};
}

} // namespace roost::security
