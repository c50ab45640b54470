#pragma once

#include "http/management/management_services.hpp"
#include "http/protocol/request.hpp"
#include "http/protocol/response.hpp"
#include "json/schema.hpp"

#include <string>
#include <string_view>

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
