#include "http/pages/page_cookies.hpp"

#include "security/digest.hpp"
#include "security/live_keys.hpp"

#include <algorithm>
#include <charconv>

namespace roost::http {

namespace {

constexpr std::string_view form_purpose = "form of a page";
constexpr std::chrono::hours form_lifetime{24}; // a page may stay open for this long

std::string value_of(const security::named_key& key, std::string_view cookie) {
  return security::to_base64url(security::keyed_hash(key.key, form_purpose, cookie));
}

std::string hex_of(std::string_view text) {
  return security::to_hex({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

constexpr char divider = '~';
/// Longer than the lifetime of any code, so that the page can report an expired one.
constexpr std::chrono::hours challenge_cookie_lifetime{1};

std::string written(domain::timestamp moment) { return std::to_string(moment.time_since_epoch().count()); }

std::optional<domain::timestamp> parsed_moment(std::string_view text) {
  constexpr std::size_t max_digits = 15;
  std::int64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failure != std::errc() || end != text.data() + text.size() || count < 0 || text.size() > max_digits)
    return std::nullopt;
  return domain::timestamp{std::chrono::milliseconds{count}};
}

} // namespace

form_guard::form_guard(const actors::published<security::key_ring>& keys, std::string_view base_url)
    : keys_(keys), cookie_("roost_form", base_url) {}

form_guard::issued form_guard::issue(const request& req) const {
  const auto& newest = keys_.get()->newest();
  if (const auto known = cookie_.in(req); known && !known->empty()) return {value_of(newest, *known), {}};
  auto cookie = security::random_secret();
  auto value = value_of(newest, cookie);
  return {std::move(value), std::move(cookie)};
}

void form_guard::remember(response& to, const issued& form) const {
  if (!form.new_cookie.empty()) cookie_.set(to, form.new_cookie, form_lifetime);
}

void form_guard::check(const request& req, const form_fields& form) const {
  const auto cookie = cookie_.in(req);
  const auto sent = form.find("form");
  const auto keys = keys_.get();
  const auto matches = [&](const security::named_key& key) {
    return security::equal_in_constant_time(value_of(key, *cookie), sent->second);
  };
  if (cookie && !cookie->empty() && sent != form.end() && std::ranges::any_of(keys->all(), matches)) return;
  throw forbidden("This form is out of date. Please open the page again.");
}

std::optional<open_challenge> challenge_cookie::in(const request& req) const {
  const auto value = cookie_.in(req);
  if (!value) return std::nullopt;
  const auto [token, hidden, expiry, sending] = split<4>(*value, divider);
  const auto email = security::from_hex(hidden);
  const auto expires_at = parsed_moment(expiry), sent_at = parsed_moment(sending);
  if (token.empty() || !email || !is_utf8(*email) || !expires_at || !sent_at) return std::nullopt;
  return open_challenge{std::string(token), *email, *expires_at, *sent_at};
}

void challenge_cookie::set(response& to, const open_challenge& challenge) const {
  cookie_.set(to,
              challenge.token + divider + hex_of(challenge.email) + divider + written(challenge.expires_at) +
                  divider + written(challenge.sent_at),
              challenge_cookie_lifetime);
}

bool return_path::is_allowed(std::string_view path) {
  // A cookie holds about 4,000 characters, and each character of the path takes two.
  constexpr std::size_t max_length = 1'900;
  return path.starts_with("/oauth/authorize?") && path.size() <= max_length &&
         std::ranges::all_of(path,
                             [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != '#'; });
}

void return_path::remember(response& to, std::string_view path) const {
  if (is_allowed(path)) cookie_.set(to, hex_of(path), std::chrono::hours{1});
}

std::optional<std::string> return_path::in(const request& req) const {
  const auto value = cookie_.in(req);
  auto path = value ? security::from_hex(*value) : std::nullopt;
  if (!path || !is_allowed(*path)) return std::nullopt;
  return path;
}

} // namespace roost::http
