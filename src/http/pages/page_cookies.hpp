#pragma once

#include "actors/runtime/published.hpp"
#include "domain/date.hpp"
#include "http/protocol/browser.hpp"
#include "http/protocol/text_encoding.hpp"
#include "security/secrets.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The cookies that pages use in addition to those of the session.
namespace roost::http {

/// Returns the first parts of a text; missing ones are empty.
template <std::size_t Count>
std::array<std::string_view, Count> split(std::string_view text, char divider) {
  std::array<std::string_view, Count> parts;
  for (auto& part : parts) {
    const auto end = text.find(divider);
    part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return parts;
}

/// Prevents other sites from submitting forms as a user, in addition to the check of the Origin: each form
/// contains the keyed hash of a random cookie of the browser. Another site can read neither.
class form_guard {
public:
  form_guard(const actors::published<security::key_ring>& keys, std::string_view base_url);

  /// The value of the field `form` in a page's forms, and its cookie.
  struct issued {
    std::string value;
    std::string new_cookie; ///< to be set; empty if the browser already has one
  };
  issued issue(const request& req) const;

  /// Sets the cookie of an issued value, if it is new.
  void remember(response& to, const issued& form) const;

  /// Throws forbidden() for a form that this service did not issue to this browser.
  void check(const request& req, const form_fields& form) const;

  /// Deletes the cookie at sign-in and sign-out, so that earlier values become invalid.
  void forget(response& to) const { cookie_.clear(to); }

private:
  const actors::published<security::key_ring>& keys_;
  own_cookie cookie_;
};

/// A sign-in that waits for its code.
struct open_challenge {
  std::string token;
  std::string email; ///< masked, for display
  domain::timestamp expires_at{}, sent_at{};
};

/// Carries a sign-in from the password page to the code page. Only the token is trusted; the rest is shown to
/// the browser that sent it.
class challenge_cookie {
public:
  explicit challenge_cookie(std::string_view base_url) : cookie_("roost_challenge", base_url) {}

  /// Returns nullopt if the cookie is missing or malformed.
  std::optional<open_challenge> in(const request& req) const;
  void set(response& to, const open_challenge& challenge) const;
  void clear(response& to) const { cookie_.clear(to); }

private:
  own_cookie cookie_;
};

/// Where to redirect after sign-in: only to an assistant's consent page, so that no link can lead a user who
/// has just signed in to another site.
class return_path {
public:
  explicit return_path(std::string_view base_url) : cookie_("roost_return", base_url) {}

  static bool is_allowed(std::string_view path);

  /// Stores the path in a cookie until the sign-in is complete. Ignores a path that is not allowed, or too
  /// long for a cookie.
  void remember(response& to, std::string_view path) const;
  void forget(response& to) const { cookie_.clear(to); }

  /// Returns the stored path; nullopt if there is none, for the account page.
  std::optional<std::string> in(const request& req) const;

private:
  own_cookie cookie_;
};

} // namespace roost::http
