#pragma once

#include "http/management/management_access.hpp"
#include "http/management/management_services.hpp"
#include "http/protocol/browser.hpp"
#include "http/protocol/message.hpp"
#include "json/schema.hpp"
#include "security/session_tokens.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// The two cookies of signing in. Both are only ever read by this service.
struct session_cookies {
  explicit session_cookies(std::string_view base_url)
      : refresh("roost_session", base_url), remembered("roost_browser", base_url) {}

  own_cookie refresh, remembered;
};

/// A session as it was started or refreshed.
struct live_session {
  domain::uuid user_id{}, session_id{};
  std::int64_t epoch = 0;
  std::int64_t generation = 1; ///< of the refresh token that the browser gets
  domain::timestamp expires_at{};
};

/// The session body (Management API, Resources) with the refresh cookie. Throws unauthorized() where the user
/// is gone since, or deactivated.
response session_response(const management_services& services, unsigned status, const live_session& session);

/// The user and account of /auth/me, with the preferences.
response me_response(const caller& who);

/// Adds the schemas of both.
void add_session_schemas(json::schemas& to);

/// The refresh token of the request's cookie: nothing without the cookie, and one of no session for a text
/// that no key of ours made.
struct presented_token {
  std::optional<security::refresh_token> token;
};
std::optional<presented_token> refresh_token_of(const management_services& services, const request& req);

} // namespace roost::http

/// What a step of signing in comes to, as a response or an http::error (Management API, Errors).
namespace roost::http {

/// The browser that sends a request, cut to what is worth keeping.
actors::browser_facts browser_of(const request& req);

/// A session body with its cookies, or a sign-in challenge; throws what it was refused for.
response sign_in_response(const management_services& services, unsigned status,
                          const actors::sign_in_response& answer);

/// The answer of resend-otp.
response resend_response(const actors::sign_in_response& answer);

response refresh_response(const management_services& services, const domain::uuid& session,
                          const store::refresh_outcome& outcome);

/// A changed password, which has ended the caller's own session, too.
response password_response(const management_services& services, const actors::password_response& answer);

/// `{"message": …}` with 200.
response message_response(std::string_view text);

/// Adds the schemas of all these, and of their errors.
void add_sign_in_schemas(json::schemas& to);

} // namespace roost::http
