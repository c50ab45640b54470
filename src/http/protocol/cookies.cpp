#include "bytes/ascii.hpp"
#include "http/protocol/browser.hpp"

#include <algorithm>
#include <stdexcept>

namespace roost::http {

namespace {

/// cookie-octet (RFC 6265, 4.1.1).
bool is_cookie_character(char c) {
  return c > ' ' && c <= '~' && std::string_view("\",;\\").find(c) == std::string_view::npos;
}

/// Takes the next pair of a Cookie header off the front.
std::string_view next_pair(std::string_view& header) {
  const auto end = header.find(';');
  const auto pair = ascii::trim(header.substr(0, end));
  header = end == std::string_view::npos ? std::string_view{} : header.substr(end + 1);
  return pair;
}

} // namespace

std::optional<std::string_view> cookie_of(const request& req, std::string_view name) {
  std::optional<std::string_view> found;
  for (const auto& field : req.fields) {
    if (!ascii::equal_ignoring_case(field.name, "Cookie")) continue;
    for (auto rest = field.value; !rest.empty();) {
      const auto pair = next_pair(rest);
      if (pair.size() <= name.size() || !pair.starts_with(name) || pair[name.size()] != '=') continue;
      const auto value = pair.substr(name.size() + 1);
      if (found && *found != value) return std::nullopt;
      found = value;
    }
  }
  return found;
}

own_cookie::own_cookie(std::string_view name, std::string_view base_url)
    : name_(name), secure_(base_url.starts_with("https:")) {
  if (!ascii::is_token(name)) throw std::invalid_argument("a cookie's name must be a token");
  if (secure_) name_.insert(0, "__Host-");
}

void own_cookie::set(response& answer, std::string_view value, std::chrono::seconds max_age) const {
  if (!std::ranges::all_of(value, is_cookie_character))
    throw std::invalid_argument("a cookie's value has a character that it cannot have");
  auto text = name_ + '=' + std::string(value) + "; Max-Age=" + std::to_string(max_age.count()) +
              "; Path=/; HttpOnly; SameSite=Lax";
  if (secure_) text += "; Secure";
  answer.fields.emplace_back("Set-Cookie", std::move(text));
}

void own_cookie::clear(response& answer) const { set(answer, "", std::chrono::seconds::zero()); }

} // namespace roost::http
