#include "domain/web_address.hpp"

#include "domain/text.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/src.hpp> // compiles the library here, so that Debian's header package suffices

#include <algorithm>

namespace roost::domain {

namespace {

constexpr std::size_t max_address = 2'048;

std::uint16_t default_port(std::string_view scheme) { return scheme == "https" ? 443 : 80; }

/// Returns whether programs could interpret the path differently: by resolving dots, by reading an escaped
/// slash or backslash as a separator, or by decoding twice. Boost.URL's own segments omit a leading dot.
bool is_ambiguous(const boost::urls::url_view& url) {
  std::string_view rest = url.encoded_path();
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const auto part = rest.substr(0, slash);
    const auto segment = boost::urls::pct_string_view(part.data(), part.size()).decode();
    if (segment == "." || segment == ".." || segment.find_first_of("/\\%") != std::string::npos) return true;
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
  }
  return false;
}

bool is_valid_host(const boost::urls::url_view& url) {
  const std::string_view host = url.encoded_host();
  return !host.empty() && host.find('%') == std::string_view::npos &&
         url.host_type() != boost::urls::host_type::ipvfuture;
}

/// Returns the port, by default the scheme's; nullopt if it is invalid.
std::optional<std::uint16_t> port_of(const boost::urls::url_view& url, std::string_view scheme) {
  if (!url.has_port() || url.port().empty()) return default_port(scheme);
  if (url.port_number() == 0) return std::nullopt; // zero or too large
  return url.port_number();
}

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

} // namespace

std::string web_address::origin() const {
  auto text = scheme + "://" + host;
  if (port != default_port(scheme)) text += ':' + std::to_string(port);
  return text;
}

std::optional<web_address> parse_web_address(std::string_view text) {
  if (text.size() > max_address) return std::nullopt;
  const auto parsed = boost::urls::parse_uri({text.data(), text.size()});
  if (!parsed) return std::nullopt;
  const auto& url = *parsed;
  const auto scheme = lower_case(std::string_view(url.scheme()));
  if ((scheme != "https" && scheme != "http") || url.has_userinfo() || url.has_fragment())
    return std::nullopt;
  if (!is_valid_host(url) || is_ambiguous(url)) return std::nullopt;
  const auto port = port_of(url, scheme);
  if (!port) return std::nullopt;
  const std::string_view host = url.encoded_host(), path = url.encoded_path(), query = url.encoded_query();
  // RFC 3986, 3.3: Boost.URL 1.81 starts the path of http://127.0.0.1.evil.example/ after the last digit.
  if (!path.empty() && path.front() != '/') return std::nullopt;
  return web_address{scheme, lower_case(host), *port, std::string(path),
                     url.has_query() ? '?' + std::string(query) : ""};
}

std::optional<std::string> normalised_resource(std::string_view text) {
  const auto parsed = parse_web_address(text);
  if (!parsed) return std::nullopt;
  return parsed->origin() + (parsed->path == "/" ? "" : parsed->path) + parsed->query;
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

bool is_registered_redirect(std::string_view registered, std::string_view requested) {
  if (registered == requested) return true;
  auto expected = parse_web_address(registered), actual = parse_web_address(requested);
  if (!expected || !actual || !is_loopback(*expected)) return false;
  expected->port = actual->port = 0;
  return *expected == *actual;
}

} // namespace roost::domain
