#include "http/protocol/browser.hpp"

#include "bytes/ascii.hpp"

#include <algorithm>
#include <stdexcept>

namespace roost::http {

namespace {

/// cookie-octet (RFC 6265, 4.1.1).
bool is_cookie_character(char c) {
  return c > ' ' && c <= '~' && std::string_view("\",;\\").find(c) == std::string_view::npos;
}

/// Whether a URL from a browser belongs to an origin.
bool belongs_to(std::string_view url, std::string_view origin) {
  return url.starts_with(origin) &&
         (url.size() == origin.size() ||
          std::string_view("/?#").find(url[origin.size()]) != std::string_view::npos);
}

bool comes_from(const request& req, std::string_view origin) {
  const auto has = [&](std::string_view field) { return req.count(field) > 0; };
  if (has("Origin")) return req.only("Origin") == origin;
  if (has("Sec-Fetch-Site")) { // none: the user typed the address
    const auto site = req.only("Sec-Fetch-Site");
    return site == "same-origin" || site == "none";
  }
  return !has("Referer") || belongs_to(req.only("Referer"), origin);
}

} // namespace

std::optional<std::string_view> cookie_of(const request& req, std::string_view name) {
  std::optional<std::string_view> match;
  for (const auto& field : req.fields) {
    if (!ascii::equal_ignoring_case(field.name, "Cookie")) continue;
    for (auto rest = field.value; !rest.empty();) {
      const auto pair = ascii::trim(ascii::take_until(rest, ';'));
      if (pair.size() <= name.size() || !pair.starts_with(name) || pair[name.size()] != '=') continue;
      const auto value = pair.substr(name.size() + 1);
      if (match && *match != value) return std::nullopt;
      match = value;
    }
  }
  return match;
}

own_cookie::own_cookie(std::string_view name, std::string_view base_url)
    : name_(name), secure_(base_url.starts_with("https:")) {
  if (!ascii::is_token(name)) throw std::invalid_argument("a cookie's name must be a token");
  if (secure_) name_.insert(0, "__Host-");
}

void own_cookie::set(response& response, std::string_view value, std::chrono::seconds max_age) const {
  if (!std::ranges::all_of(value, is_cookie_character))
    throw std::invalid_argument("a cookie's value contains an invalid character");
  auto text = name_ + '=' + std::string(value) + "; Max-Age=" + std::to_string(max_age.count()) +
              "; Path=/; HttpOnly; SameSite=Lax";
  if (secure_) text += "; Secure";
  response.fields.emplace_back("Set-Cookie", std::move(text));
}

void own_cookie::clear(response& response) const { set(response, "", std::chrono::seconds::zero()); }

std::string origin_of(std::string_view url) {
  const auto authority = url.find("://") + 3;
  std::string origin(url.substr(0, url.find_first_of("/?#", authority)));
  std::ranges::transform(origin, origin.begin(), ascii::lower);
  const std::string_view default_port = origin.starts_with("https:") ? ":443" : ":80";
  if (origin.ends_with(default_port)) origin.resize(origin.size() - default_port.size());
  return origin;
}

check origin_check(std::string_view base_url) {
  return [origin = origin_of(base_url)](request& req) {
    if (!comes_from(req, origin)) throw forbidden("Forbidden resource");
  };
}

} // namespace roost::http
