#include "http/management/auth_bodies.hpp"

#include "domain/email_address.hpp"
#include "http/json/object_reader.hpp"

#include <algorithm>

namespace roost::http {

namespace {

using enum presence;
constexpr std::size_t shortest_password = 6;
constexpr std::size_t code_digits = 6;

std::string read_email(object_reader& body) {
  const auto email = body.text_if("email");
  if (email && domain::is_email_address(*email)) return *email;
  body.refuse("email must be an email");
  return {};
}

/// The length's message stands before the type's.
std::string read_password(object_reader& body, std::string_view key) {
  const auto text = body.text_if(key);
  if (text && length_of(*text) >= shortest_password) return *text;
  body.refuse(std::string(key) + " must be longer than or equal to 6 characters");
  if (!text) body.refuse(std::string(key) + " must be a string");
  return {};
}

/// What a length says depends on how the value's own length compares, which a number has none of.
std::string_view length_message(const object_reader& body, const std::optional<std::string>& text) {
  if (text)
    return length_of(*text) > code_digits ? "shorter than or equal to 6" : "longer than or equal to 6";
  return body.has("otp") ? "longer than or equal to 6 and shorter than or equal to 6"
                         : "longer than or equal to 6";
}

std::string read_otp(object_reader& body) {
  const auto text = body.text_if("otp");
  const bool digits =
      text && !text->empty() && std::ranges::all_of(*text, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) body.refuse("otp must contain digits only");
  if (!text || length_of(*text) != code_digits)
    body.refuse("otp must be " + std::string(length_message(body, text)) + " characters");
  if (!text) body.refuse("otp must be a string");
  return text.value_or("");
}

std::string one_text(std::string& text, std::string_view key) {
  json_body parsed{text};
  object_reader body{parsed, {key}};
  auto value = body.text(key, required);
  parsed.throw_if_refused();
  return std::move(*value);
}

} // namespace

login_body parse_login(std::string& text) {
  json_body parsed{text};
  object_reader body{parsed, {"email", "password"}};
  login_body login;
  login.email = read_email(body);
  login.password = read_password(body, "password");
  parsed.throw_if_refused();
  return login;
}

verify_otp_body parse_verify_otp(std::string& text) {
  json_body parsed{text};
  object_reader body{parsed, {"challengeToken", "otp", "rememberDevice"}};
  verify_otp_body verify;
  verify.challenge_token = body.text("challengeToken", required).value_or("");
  verify.otp = read_otp(body);
  verify.remember_device = body.flag("rememberDevice", optional).value_or(false);
  parsed.throw_if_refused();
  return verify;
}

std::string parse_resend_otp(std::string& text) { return one_text(text, "challengeToken"); }

std::string parse_identity_token(std::string& text) { return one_text(text, "idToken"); }

password_body parse_password_change(std::string& text) {
  json_body parsed{text};
  object_reader body{parsed, {"oldPassword", "newPassword"}};
  password_body change;
  change.old_password = body.text("oldPassword", required).value_or("");
  change.new_password = read_password(body, "newPassword");
  parsed.throw_if_refused();
  return change;
}

std::string parse_forgot_password(std::string& text) {
  json_body parsed{text};
  object_reader body{parsed, {"email"}};
  auto email = read_email(body);
  parsed.throw_if_refused();
  return email;
}

reset_body parse_password_reset(std::string& text) {
  json_body parsed{text};
  object_reader body{parsed, {"token", "password"}};
  reset_body reset;
  reset.token = body.text("token", required).value_or("");
  reset.password = read_password(body, "password");
  parsed.throw_if_refused();
  return reset;
}

} // namespace roost::http
