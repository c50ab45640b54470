#include "oauth/web_address.hpp"

#include "domain/text.hpp"

#include <boost/url/parse.hpp>

#include <algorithm>
#include <charconv>

namespace roost::oauth {

namespace {

constexpr std::size_t max_address = 2'048;

std::uint16_t default_port(std::string_view scheme) { return scheme == "https" ? 443 : 80; }

/// Returns whether a text consists of characters of URLs and starts with `http://` or `https://`.
/// Boost.URL 1.81 asserts this for some others, such as `http:|`.
bool is_candidate(std::string_view text) {
  const auto start = domain::lower_case(text.substr(0, std::string_view("https://").size()));
  return (start.starts_with("http://") || start == "https://") && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (domain::lower_case(c) >= 'a' && domain::lower_case(c) <= 'z') ||
                  std::string_view("-._~:/?#[]@!$&'()*+,;=%").find(c) != std::string_view::npos;
         });
}

/// Returns whether a program could resolve a decoded segment as `.` or `..`. Some remove a segment's
/// parameters first (RFC 3986, 3.3): everything from a semicolon. Others remove blanks at its end.
bool is_dot_segment(std::string_view segment) {
  auto name = segment.substr(0, segment.find(';'));
  name = name.substr(0, name.find_last_not_of(' ') + 1);
  return name == "." || name == "..";
}

/// Returns whether a program could read a decoded segment as several, decode it twice, or end it early. Some
/// read overlong UTF-8, such as c0 af for a slash.
bool has_ambiguous_character(std::string_view segment) {
  while (!segment.empty()) {
    const auto c = domain::take_character(segment);
    if (!c || *c == '/' || *c == '\\' || *c == '%' || *c < ' ' || *c == 0x7f) return true;
  }
  return false;
}

/// Returns whether programs could interpret the path differently. Boost.URL's own segments omit a leading
/// dot.
bool is_ambiguous(const boost::urls::url_view& url) {
  std::string_view rest = url.encoded_path();
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const auto part = rest.substr(0, slash);
    const auto segment = boost::urls::pct_string_view(part.data(), part.size()).decode();
    if (is_dot_segment(segment) || has_ambiguous_character(segment)) return true;
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
  }
  return false;
}

bool is_valid_host(const boost::urls::url_view& url) {
  const std::string_view host = url.encoded_host();
  return !host.empty() && host.find('%') == std::string_view::npos &&
         url.host_type() != boost::urls::host_type::ipvfuture;
}

/// Returns the port, by default the scheme's; nullopt if it is zero or too large. Boost.URL 1.81 reduces
/// large numbers modulo 65,536.
std::optional<std::uint16_t> port_of(const boost::urls::url_view& url, std::string_view scheme) {
  const std::string_view text = url.port();
  if (text.empty()) return default_port(scheme);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

} // namespace

std::string web_address::origin() const {
  auto text = scheme + "://" + host;
  if (port != default_port(scheme)) text += ':' + std::to_string(port);
  return text;
}

std::optional<web_address> parse_web_address(std::string_view text) {
  if (text.size() > max_address || !is_candidate(text)) return std::nullopt;
  const auto parsed = boost::urls::parse_uri({text.data(), text.size()});
  if (!parsed) return std::nullopt;
  const auto& url = *parsed;
  const auto scheme = domain::lower_case(std::string_view(url.scheme()));
  if ((scheme != "https" && scheme != "http") || url.has_userinfo() || url.has_fragment())
    return std::nullopt;
  if (!is_valid_host(url) || is_ambiguous(url)) return std::nullopt;
  const auto port = port_of(url, scheme);
  if (!port) return std::nullopt;
  const std::string_view host = url.encoded_host(), path = url.encoded_path(), query = url.encoded_query();
  // RFC 3986, 3.3: Boost.URL 1.81 starts the path of http://127.0.0.1.evil.example/ after the last digit.
  if (!path.empty() && path.front() != '/') return std::nullopt;
  return web_address{scheme, domain::lower_case(host), *port, std::string(path),
                     url.has_query() ? '?' + std::string(query) : ""};
}

} // namespace roost::oauth
