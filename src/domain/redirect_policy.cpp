#include "domain/redirect_policy.hpp"

#include <algorithm>

namespace roost::domain {

namespace {

std::vector<web_address> https_addresses(const std::vector<std::string>& texts) {
  std::vector<web_address> made;
  for (const auto& text : texts)
    if (auto address = parse_web_address(text); address && address->scheme == "https")
      made.push_back(std::move(*address));
  return made;
}

/// A prefix ends where a segment does: /a allows /a and /a/b, and not /ab.
bool is_below(const web_address& address, const web_address& prefix) {
  if (address.scheme != prefix.scheme || address.host != prefix.host || address.port != prefix.port)
    return false;
  std::string_view start = prefix.path;
  if (start.ends_with('/')) start.remove_suffix(1);
  const std::string_view path = address.path;
  return path.starts_with(start) && (path.size() == start.size() || path[start.size()] == '/');
}

} // namespace

redirect_policy::redirect_policy(const std::vector<std::string>& callbacks,
                                 const std::vector<std::string>& prefixes)
    : callbacks_(https_addresses(callbacks)), prefixes_(https_addresses(prefixes)) {}

bool redirect_policy::allows(std::string_view uri) const {
  const auto address = parse_web_address(uri);
  if (!address) return false;
  return is_loopback(*address) || std::ranges::find(callbacks_, *address) != callbacks_.end() ||
         std::ranges::any_of(prefixes_,
                             [&](const web_address& prefix) { return is_below(*address, prefix); });
}

bool is_loopback(const web_address& address) {
  return address.scheme == "http" && (address.host == "localhost" || address.host == "127.0.0.1");
}

bool is_registered_redirect(std::string_view registered, std::string_view asked) {
  if (registered == asked) return true;
  auto known = parse_web_address(registered), given = parse_web_address(asked);
  if (!known || !given || !is_loopback(*known)) return false;
  known->port = given->port = 0;
  return *known == *given;
}

} // namespace roost::domain
