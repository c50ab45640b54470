#pragma once

#include "json/schema.hpp"

#include <string>

/// The bodies of the sign-in routes (Management API, Endpoints, Management session). Each function throws
/// bad_request with all errors.
namespace roost::http {

struct login_body {
  std::string email, password;
};
login_body parse_login(std::string& text);

struct verify_otp_body {
  std::string challenge_token, otp;
  bool remember_device = false;
};
verify_otp_body parse_verify_otp(std::string& text);

std::string parse_resend_otp(std::string& text); ///< returns the challenge token

std::string parse_identity_token(std::string& text);

struct password_body {
  std::string old_password, new_password;
  bool end_connections = false; ///< of all assistants
};
password_body parse_password_change(std::string& text);

std::string parse_forgot_password(std::string& text); ///< returns the address

struct reset_body {
  std::string token, password;
  bool end_connections = true; ///< of all assistants, which an intruder may have connected
};
reset_body parse_password_reset(std::string& text);

void add_auth_schemas(json::schemas& to);

} // namespace roost::http
