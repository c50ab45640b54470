#include "security/jwt.hpp"

#include <jwt.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>

namespace roost::security {

namespace {

/// Ours have 400 to 1,500 characters. What is longer is not worth a look.
constexpr std::size_t longest_token = 2048;

jwt_alg_t alg_of(jwt_algorithm algorithm) {
  return algorithm == jwt_algorithm::hs256 ? JWT_ALG_HS256 : JWT_ALG_ES256;
}

struct c_string_deleter {
  void operator()(char* text) const { std::free(text); }
};

void require(int result, const char* what) {
  if (result != 0) throw std::runtime_error(std::string("cannot make a token: ") + what);
}

/// Letters of base64url and the two dots: a zero among them would hide the rest from the library.
bool looks_like_a_token(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= longest_token && std::ranges::all_of(text, allowed);
}

jwt_t* made() {
  jwt_t* token = nullptr;
  require(jwt_new(&token), "no memory");
  return token;
}

} // namespace

void jwt_deleter::operator()(jwt* token) const { jwt_free(token); }

jwt_writer::jwt_writer(const jwt_key& key, const std::string& key_id) : token_(made()) {
  require(
      jwt_set_alg(token_.get(), alg_of(key.algorithm), key.bytes.data(), static_cast<int>(key.bytes.size())),
      "key refused");
  if (!key_id.empty()) require(jwt_add_header(token_.get(), "kid", key_id.c_str()), "kid");
}

jwt_writer& jwt_writer::add(const char* claim, const std::string& value) {
  require(jwt_add_grant(token_.get(), claim, value.c_str()), claim);
  return *this;
}

jwt_writer& jwt_writer::add(const char* claim, std::int64_t value) {
  require(jwt_add_grant_int(token_.get(), claim, value), claim);
  return *this;
}

jwt_writer& jwt_writer::add(const char* claim, std::chrono::sys_seconds time) {
  return add(claim, static_cast<std::int64_t>(time.time_since_epoch().count()));
}

std::string jwt_writer::text() const {
  const std::unique_ptr<char, c_string_deleter> text(jwt_encode_str(token_.get()));
  require(text == nullptr ? -1 : 0, "not encoded");
  return text.get();
}

std::optional<jwt_reader> jwt_reader::verified(std::string_view text, const jwt_key& key) {
  if (!looks_like_a_token(text)) return std::nullopt;
  jwt_t* decoded = nullptr;
  const std::string terminated(text);
  if (jwt_decode(&decoded, terminated.c_str(), key.bytes.data(), static_cast<int>(key.bytes.size())) != 0)
    return std::nullopt;
  jwt_reader token(decoded);
  if (jwt_get_alg(decoded) != alg_of(key.algorithm)) return std::nullopt;
  return token;
}

std::optional<std::string> jwt_reader::text(const char* claim) const {
  const char* value = jwt_get_grant(token_.get(), claim);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

/// The library gives 0 for what is no integer and for what is not there, and sets errno.
std::optional<std::int64_t> jwt_reader::number(const char* claim) const {
  errno = 0;
  const long value = jwt_get_grant_int(token_.get(), claim);
  if (errno != 0) return std::nullopt;
  return value;
}

std::optional<std::chrono::sys_seconds> jwt_reader::time(const char* claim) const {
  const auto seconds = number(claim);
  if (!seconds || *seconds <= 0) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(*seconds));
}

std::optional<std::string> key_id_of(std::string_view text) {
  if (!looks_like_a_token(text)) return std::nullopt;
  jwt_t* decoded = nullptr;
  if (jwt_decode(&decoded, std::string(text).c_str(), nullptr, 0) != 0) return std::nullopt;
  const std::unique_ptr<jwt, jwt_deleter> token(decoded);
  const char* id = jwt_get_header(decoded, "kid");
  if (id == nullptr) return std::nullopt;
  return id;
}

} // namespace roost::security
