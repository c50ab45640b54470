#include "actors/runtime/published.hpp"
#include "domain/storable_text.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "http/pages/page_cookies.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"
#include "security/secrets.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

/// Values of the pages' own cookies. The first line is the value of a cookie, the second the field of a form.
namespace roost::fuzz::page_cookie {
namespace {

constexpr std::string_view base_url = "https://roost.example";

http::request request_with(const std::string& cookie) {
  http::request req;
  req.fields.push_back({"Cookie", cookie});
  return req;
}

/// Returns the request that a browser sends after a response that sets one cookie; `cookie` holds its text.
http::request next_request(const http::response& response, std::string& cookie) {
  require(response.fields.size() == 1 && response.fields.front().first == "Set-Cookie",
          "a response sets the cookie");
  const auto& text = response.fields.front().second;
  require(!has_control(text) && domain::is_storable(text), "a cookie is one line");
  cookie = text.substr(0, text.find(';'));
  return request_with(cookie);
}

void check_challenge(std::string_view value) {
  const http::challenge_cookie cookie{base_url};
  const auto sent = "__Host-roost_challenge=" + std::string{value};
  const auto challenge = cookie.in(request_with(sent));
  if (!challenge) return;
  require(!challenge->token.empty(), "a challenge has a token");
  require(challenge->token.find(';') == std::string::npos, "a cookie ends at a semicolon");
  // A response cannot set a cookie with other characters, which only a program could have sent.
  if (!std::ranges::all_of(challenge->token, [](char c) {
        return c > ' ' && c < 0x7f && std::string_view{"\",\\"}.find(c) == std::string_view::npos;
      }))
    return;
  http::response response;
  cookie.set(response, *challenge);
  std::string text;
  const auto again = cookie.in(next_request(response, text));
  require(again && again->token == challenge->token && again->email == challenge->email &&
              again->expires_at == challenge->expires_at && again->sent_at == challenge->sent_at,
          "a challenge is read as it was set");
}

void check_return_path(std::string_view value) {
  const http::return_path paths{base_url};
  for (const auto& each : {std::string{value}, "/oauth/authorize?" + std::string{value}}) {
    http::response response;
    paths.remember(response, each);
    require(response.fields.empty() != http::return_path::is_allowed(each), "only allowed paths are stored");
    if (response.fields.empty()) continue;
    std::string text;
    require(paths.in(next_request(response, text)) == each, "a path is read as it was set");
  }
  if (const auto path = paths.in(request_with("__Host-roost_return=" + std::string{value})))
    require(path->starts_with("/oauth/authorize?") && !has_control(*path),
            "a sign-in leads to the consent page only");
}

/// Requires that a form is accepted only with the value that was issued for its cookie.
void check_form(std::string_view value, std::string_view field) {
  static actors::published<security::key_ring> keys;
  static const bool has_keys = [] {
    keys.set(std::make_shared<const security::key_ring>(
        security::key_ring{{{"k1", security::signing_key{1, 2, 3}, {}}}}));
    return true;
  }();
  require(has_keys, "there is a key");
  const http::form_guard guard{keys, base_url};
  const auto passes = [&](const http::request& req, const std::string& sent) {
    try {
      guard.check(req, {{"form", sent}});
      return true;
    } catch (const http::error& refusal) {
      require(refusal.status == 403, "a form of another browser is refused with 403");
      return false;
    }
  };
  const auto cookie = "__Host-roost_form=" + std::string{value};
  const auto req = request_with(cookie);
  const auto issued = guard.issue(req);
  require(passes(req, std::string{field}) == (issued.new_cookie.empty() && issued.value == field),
          "only the issued value passes");
  if (issued.new_cookie.empty()) require(passes(req, issued.value), "an issued value passes");
}

void check(std::string_view input) {
  const auto value = take_line(input), field = take_line(input);
  check_challenge(value);
  check_return_path(value);
  check_form(value, field);
}

const target registered{"page_cookie", "CookiesOfPagesAreReadAsTheyWereSet", check};

} // namespace
} // namespace roost::fuzz::page_cookie
