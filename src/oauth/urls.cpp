#include "oauth/urls.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <utility>

namespace roost::oauth {

namespace {

std::vector<web_address> https_addresses(const std::vector<std::string>& texts) {
  std::vector<web_address> addresses;
  for (const auto& text : texts)
    if (auto address = parse_web_address(text); address && address->scheme == "https")
      addresses.push_back(std::move(*address));
  return addresses;
}

/// Returns whether an address is the prefix or below it. A prefix ends with a whole segment: /a allows /a and
/// /a/b, but not /ab.
bool is_below(const web_address& address, const web_address& prefix) {
  if (address.scheme != prefix.scheme || address.host != prefix.host || address.port != prefix.port)
    return false;
  std::string_view start = prefix.path;
  if (start.ends_with('/')) start.remove_suffix(1);
  const std::string_view path = address.path;
  return path.starts_with(start) && (path.size() == start.size() || path[start.size()] == '/');
}

/// Returns whether a host is `localhost` or an address of this machine (RFC 6890, 2.2.2 and 2.2.3).
bool is_this_machine(const std::string& host) {
  if (host == "localhost") return true;
  std::array<unsigned char, sizeof(in_addr)> v4{};
  if (inet_pton(AF_INET, host.c_str(), v4.data()) == 1) return v4[0] == 127;
  if (!host.starts_with('[')) return false;
  constexpr std::array<unsigned char, sizeof(in6_addr)> loopback{0, 0, 0, 0, 0, 0, 0, 0,
                                                                 0, 0, 0, 0, 0, 0, 0, 1};
  std::array<unsigned char, sizeof(in6_addr)> v6{};
  return inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), v6.data()) == 1 && v6 == loopback;
}

} // namespace

std::optional<std::string> normalized_resource(std::string_view text) {
  const auto parsed = parse_web_address(text);
  if (!parsed) return std::nullopt;
  return parsed->origin() + (parsed->path == "/" ? "" : parsed->path) + parsed->query;
}

std::optional<std::string> resource_of_key(std::string_view requested, const std::string& configured) {
  const auto own = normalized_resource(configured);
  auto resource = requested.empty() ? own : normalized_resource(requested);
  if (!resource) return std::nullopt;
  if (resource == own) return configured;
  if (!is_https_or_on_this_machine(parse_web_address(*resource).value())) return std::nullopt;
  return resource;
}

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

bool is_https_or_on_this_machine(const web_address& address) {
  return address.scheme == "https" || is_this_machine(address.host);
}

bool is_registered_redirect(std::string_view registered, std::string_view requested) {
  if (registered == requested) return true;
  auto expected = parse_web_address(registered), actual = parse_web_address(requested);
  if (!expected || !actual || !is_loopback(*expected)) return false;
  expected->port = actual->port = 0;
  return *expected == *actual;
}

} // namespace roost::oauth
