#include "http/management/auth_bodies.hpp"

#include "domain/email_address.hpp"
#include "domain/entered_text.hpp"
#include "http/json/body.hpp"
#include "security/common_password.hpp"

#include <algorithm>

namespace roost::http {

namespace {

constexpr std::size_t min_password_length = 6;
constexpr std::size_t code_digits = 6;

/// An address as the store has it: in Unicode's Normalization Form C. A blank around it is an error.
struct email_field {
  constexpr json::facts schema_facts() const { return {.type = "string", .format = "email"}; }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence) const {
    const auto sent = body.text_if(key);
    auto email = domain::composed(sent.value_or(""));
    if (domain::is_email_address(email)) return email;
    body.refuse(std::string{key} + " must be an email");
    return std::nullopt;
  }
};

/// A password. The message about its length precedes the one about its type.
struct password_field {
  constexpr json::facts schema_facts() const { return {.type = "string", .min_length = min_password_length}; }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence) const {
    auto text = body.text_if(key);
    if (text && length_of(domain::composed(*text)) >= min_password_length) return text;
    body.refuse(std::string{key} + " must be longer than or equal to 6 characters");
    if (!text) body.refuse(std::string{key} + " must be a string");
    return std::nullopt;
  }
};

/// A new password.
struct new_password_field : password_field {
  std::optional<std::string> read(object_reader& body, std::string_view key, presence expected) const {
    auto password = password_field::read(body, key, expected);
    if (!password || !security::is_common_password(*password)) return password;
    body.refuse(std::string{key} + " must not be one of the most common passwords");
    return std::nullopt;
  }
};

struct code_field {
  constexpr json::facts schema_facts() const { return {.type = "string", .pattern = "^[0-9]{6}$"}; }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence) const {
    auto text = body.text_if(key);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto refuse = [&](std::string_view rule) { body.refuse(std::string{key}.append(rule)); };
    if (!text || text->empty() || !std::ranges::all_of(*text, is_digit)) refuse(" must contain digits only");
    if (!text || length_of(*text) != code_digits) refuse(length_rule(text, body.has(key)));
    if (!text) refuse(" must be a string");
    return text;
  }

private:
  /// The message depends on the text's length, which other types do not have.
  static std::string_view length_rule(const std::optional<std::string>& text, bool is_sent) {
    if (text && length_of(*text) > code_digits) return " must be shorter than or equal to 6 characters";
    if (!text && is_sent)
      return " must be longer than or equal to 6 and shorter than or equal to 6 characters";
    return " must be longer than or equal to 6 characters";
  }
};

constexpr auto login_fields =
    json::object<login_body>(
        "Login",
        field("email", email_field{}, &login_body::email, "The user's email address, in any letter case"),
        field("password", password_field{}, &login_body::password, "At least 6 characters"))
        .closed()
        .example(R"({"email":"ana@casaverde.example","password":"demo-ana-only"})");

constexpr auto verify_otp_fields =
    json::object<verify_otp_body>("VerifyOtp",
                                  field("challengeToken", kind::text{}, &verify_otp_body::challenge_token,
                                        "From the response of the login"),
                                  field("otp", code_field{}, &verify_otp_body::otp,
                                        "The emailed code: six digits, valid for 10 minutes and 5 attempts"),
                                  field("rememberDevice", kind::flag{}, &verify_otp_body::remember_device,
                                        "true sets a cookie that skips the code in this browser for 30 days",
                                        json::optional, json::nullable))
        .closed()
        .example(R"({"challengeToken":"JI2dELn5ceiEI4gSwb5Ts6VCIPJGjdke2b1VBR4y4JM","otp":"459314"})");

/// Stores the only field of a body.
constexpr auto whole = [](std::string& to, std::optional<std::string> sent) {
  if (sent) to = std::move(*sent);
};

constexpr auto resend_otp_fields =
    json::object<std::string>("ResendOtp",
                              field("challengeToken", kind::text{}, whole,
                                    "From the response of the login; it remains valid for the new code"))
        .closed()
        .example(R"({"challengeToken":"JI2dELn5ceiEI4gSwb5Ts6VCIPJGjdke2b1VBR4y4JM"})");

constexpr auto identity_token_fields =
    json::object<std::string>("IdentityToken",
                              field("idToken", kind::text{}, whole, "A JWT of the configured issuer"))
        .closed();

constexpr std::string_view end_connections_meaning =
    "Whether to end the connections of all assistants, which continue otherwise";

constexpr auto password_change_fields =
    json::object<password_body>("PasswordChange",
                                field("oldPassword", kind::text{}, &password_body::old_password,
                                      "The current password; a wrong one counts as a failed sign-in"),
                                field("newPassword", new_password_field{}, &password_body::new_password,
                                      "At least 6 characters, and none of the most common passwords"),
                                field("endConnections", kind::flag{}, &password_body::end_connections,
                                      end_connections_meaning, json::optional, json::nullable,
                                      json::initially{"false"}))
        .closed()
        .example(R"({"oldPassword":"demo-ana-only","newPassword":"a better one"})");

constexpr auto forgot_password_fields =
    json::object<std::string>(
        "ForgotPassword",
        field("email", email_field{}, whole,
              "Receives the link if it belongs to a user; the response is the same for every address"))
        .closed()
        .example(R"({"email":"ana@casaverde.example"})");

constexpr auto password_reset_fields =
    json::object<reset_body>(
        "PasswordReset",
        field("token", kind::text{}, &reset_body::token, "From the emailed link; valid once, for 30 minutes"),
        field("password", new_password_field{}, &reset_body::password,
              "The new password, of at least 6 characters, and none of the most common ones"),
        field("endConnections", kind::flag{}, &reset_body::end_connections, end_connections_meaning,
              json::optional, json::nullable, json::initially{"true"}))
        .closed();

} // namespace

login_body parse_login(std::string& text) { return read_body(text, login_fields); }

verify_otp_body parse_verify_otp(std::string& text) { return read_body(text, verify_otp_fields); }

std::string parse_resend_otp(std::string& text) { return read_body(text, resend_otp_fields); }

std::string parse_identity_token(std::string& text) { return read_body(text, identity_token_fields); }

password_body parse_password_change(std::string& text) { return read_body(text, password_change_fields); }

std::string parse_forgot_password(std::string& text) { return read_body(text, forgot_password_fields); }

reset_body parse_password_reset(std::string& text) { return read_body(text, password_reset_fields); }

void add_auth_schemas(json::schemas& to) {
  to.add(login_fields);
  to.add(verify_otp_fields);
  to.add(resend_otp_fields);
  to.add(identity_token_fields);
  to.add(password_change_fields);
  to.add(forgot_password_fields);
  to.add(password_reset_fields);
}

} // namespace roost::http
