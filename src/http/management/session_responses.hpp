#pragma once

#include "http/management/management_api.hpp"
#include "http/protocol/browser.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace roost::http {

/// The cookies of a sign-in, which only this service reads.
struct session_cookies {
  explicit session_cookies(std::string_view base_url)
      : refresh("roost_session", base_url), remembered("roost_browser", base_url),
        known("roost_known", base_url) {}

  own_cookie refresh;
  own_cookie remembered; ///< skips the code
  own_cookie known;      ///< marks a browser in which a user has signed in; skips nothing
};

/// Returns the body of /auth/me: the user, the account and the preferences.
response me_response(const caller& caller);

/// Returns the refresh token of the request's cookie; nullopt without the cookie, or if no key of this
/// service issued it.
std::optional<security::refresh_token> refresh_token_of(const management_services& services,
                                                        const request& req);

// The results of sign-in steps. A refusal is thrown as an http::error (Management API, Errors).

/// Returns the browser that sent a request; its name is truncated. A browser without a valid cookie that
/// marks it gets a new token.
actors::browser_facts browser_of(const management_services& services, const request& req);

/// Returns a session body with its cookies, or a sign-in challenge. Throws the refusal.
response sign_in_response(const management_services& services, unsigned status,
                          const actors::sign_in_response& outcome);

response resend_response(const actors::sign_in_response& outcome);

response refresh_response(const management_services& services, const domain::uuid& session,
                          const store::refresh_outcome& outcome);

/// Returns the response to a password change, which also ends the caller's session.
response password_response(const management_services& services, const actors::password_response& outcome);

/// Returns `{"message": …}` with 200.
response message_response(std::string_view text);

/// Rounds up to whole seconds, at least one.
std::chrono::seconds whole_seconds(std::chrono::milliseconds wait);

void add_session_schemas(json::schemas& to);

} // namespace roost::http
