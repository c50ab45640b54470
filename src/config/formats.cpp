#include "config/formats.hpp"

#include "store/address/store_url.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <memory>

namespace roost::config {

namespace {

template <class Integer>
std::optional<Integer> parse_number(std::string_view text) {
  Integer value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_address(int family, const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(family, text.c_str(), bytes.data()) == 1;
}

std::optional<endpoint> parse_endpoint(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto port = parse_number<std::uint16_t>(std::string_view(text).substr(colon + 1));
  if (!port) return std::nullopt;
  auto host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    return is_address(AF_INET6, host) ? std::optional(endpoint{host, *port}) : std::nullopt;
  }
  return is_address(AF_INET, host) ? std::optional(endpoint{host, *port}) : std::nullopt;
}

bool is_network(const std::string& text) {
  const auto slash = text.find('/');
  const auto address = text.substr(0, slash);
  const bool v4 = is_address(AF_INET, address);
  if (!v4 && !is_address(AF_INET6, address)) return false;
  if (slash == std::string::npos) return true;
  const auto bits = parse_number<unsigned>(std::string_view(text).substr(slash + 1));
  return bits && *bits <= (v4 ? 32U : 128U);
}

/// The parts of a URL (RFC 3986); user and password are decoded.
struct url_parts {
  std::string host, port, user, password, path, query, fragment;
};

std::string part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(&curl_free)> owner(text, &curl_free);
  return text;
}

std::optional<url_parts> split_url(const std::string& text, std::string_view scheme) {
  const auto start = std::string(scheme) + "://";
  // curl would also accept spaces and a third slash.
  if (!text.starts_with(start) || text.starts_with(start + '/') || text.find(' ') != std::string::npos)
    return std::nullopt;
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), &curl_url_cleanup);
  if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
    return std::nullopt;
  url_parts parts{part_of(url.get(), CURLUPART_HOST),
                  part_of(url.get(), CURLUPART_PORT),
                  part_of(url.get(), CURLUPART_USER, CURLU_URLDECODE),
                  part_of(url.get(), CURLUPART_PASSWORD, CURLU_URLDECODE),
                  part_of(url.get(), CURLUPART_PATH),
                  part_of(url.get(), CURLUPART_QUERY),
                  part_of(url.get(), CURLUPART_FRAGMENT)};
  if (parts.host.empty()) return std::nullopt;
  return parts;
}

std::optional<url_parts> split_web_url(const std::string& text) {
  auto parts = split_url(text, "https");
  if (!parts) parts = split_url(text, "http");
  if (parts && (!parts->user.empty() || !parts->password.empty() || !parts->fragment.empty()))
    return std::nullopt;
  return parts;
}

bool is_https_url(const std::string& text) { return text.starts_with("https:") && split_web_url(text); }

std::optional<mail_transport> parse_transport(const std::string& text) {
  constexpr std::string_view file = "file:";
  if (text.starts_with(file)) {
    if (text.size() == file.size() || text.starts_with("file://")) return std::nullopt;
    return mail_transport{mail_transport::protocol::file, text.substr(file.size())};
  }
  const bool secure = text.starts_with("smtps:");
  const auto parts = split_url(text, secure ? "smtps" : "smtp");
  if (!parts || !parts->query.empty() || !parts->fragment.empty()) return std::nullopt;
  if (!parts->path.empty() && parts->path != "/") return std::nullopt;
  const auto port = parse_number<std::uint16_t>(parts->port);
  if (!port || *port == 0) return std::nullopt;
  return mail_transport{secure ? mail_transport::protocol::smtps : mail_transport::protocol::smtp,
                        {},
                        parts->host,
                        *port,
                        parts->user,
                        parts->password};
}

bool is_mail_address(const std::string& text) {
  const auto at = text.find('@');
  const auto allowed = [](char c) { return c > ' ' && c < 0x7f && c != '<' && c != '>' && c != ','; };
  return at != std::string::npos && at > 0 && at + 1 < text.size() && text.rfind('@') == at &&
         std::ranges::all_of(text, allowed);
}

bool is_host_name(const std::string& text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return !text.empty() && text.front() != '.' && text.back() != '.' && text.find("..") == std::string::npos &&
         std::ranges::all_of(text, allowed);
}

/// The first path segments of the service's own routes.
constexpr std::array<std::string_view, 12> reserved_prefixes = {
    "auth",     "oauth",   "ai-usage", ".well-known", "ical-integration", "ical-integration-json",
    "explorer", "account", "sign-in",  "management",  "management-json",  "reset-password"};

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_platform_name(const std::string& text) {
  return !text.empty() && is_lower_or_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

/// Accepts only unreserved characters (RFC 3986), because prefixes are compared with paths without decoding.
bool is_path_segment(const std::string& text) {
  const auto allowed = [](char c) {
    return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' || c == '_' || c == '~';
  };
  return !text.empty() && text != "." && text != ".." && std::ranges::all_of(text, allowed);
}

std::vector<std::string> kind_names() {
  const auto& names = domain::platform_kind_names;
  return {names.begin(), names.end()};
}

format<std::string> valid_text(std::string expected, std::string example, bool (*valid)(const std::string&)) {
  return text_format<std::string>(std::move(expected), std::move(example),
                                  [valid](const std::string& text) -> std::optional<std::string> {
                                    if (!valid(text)) return std::nullopt;
                                    return text;
                                  });
}

} // namespace

std::string to_string(const endpoint& endpoint) {
  const bool v6 = endpoint.address.find(':') != std::string::npos;
  return (v6 ? '[' + endpoint.address + ']' : endpoint.address) + ':' + std::to_string(endpoint.port);
}

format<endpoint> listen_endpoint() {
  return text_format<endpoint>("an IP address and a port", "\"127.0.0.1:8080\"", parse_endpoint);
}

format<std::vector<std::string>> networks() {
  return list_format("an IP address or a network", "[\"10.0.0.0/8\"]", is_network);
}

format<std::string> base_url() {
  return text_format<std::string>("an http or https URL", "\"https://roost.example\"",
                                  [](const std::string& text) -> std::optional<std::string> {
                                    const auto parts = split_web_url(text);
                                    if (!parts || !parts->query.empty()) return std::nullopt;
                                    return text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
                                  });
}

format<std::string> web_url() {
  return valid_text("an http or https URL", "\"https://tools.roost.example/mcp\"",
                    [](const std::string& text) { return split_web_url(text).has_value(); });
}

format<std::vector<std::string>> https_urls() {
  return list_format("an https URL", "[\"https://assistant.example/callback\"]", is_https_url);
}

format<std::vector<std::string>> https_prefixes() {
  return list_format("the beginning of an https URL, at least to the slash after the host",
                     "[\"https://assistant.example/callbacks/\"]", [](const std::string& text) {
                       constexpr std::string_view scheme = "https://";
                       return is_https_url(text) && text.find('/', scheme.size()) != std::string::npos;
                     });
}

format<std::string> optional_file_or_https_url() {
  return valid_text(
      "a file or an https URL", "\"https://identity.example/keys.json\"",
      [](const std::string& text) { return text.find("://") == std::string::npos || is_https_url(text); });
}

format<std::string> store_url() {
  const auto read = [](const toml::node& node) {
    auto url = text_of(node, "a store", R"("sqlite3://var/roost.db")");
    // Never quote a PostgreSQL URL: if it is malformed, it is unclear where its password ends.
    if (const auto fault = store::store_url_error(url))
      throw refusal{(url.starts_with(store::postgresql_scheme) ? "" : shown(node) + ' ') + *fault};
    return url;
  };
  return {value_type::text, read, true};
}

format<mail_transport> transport() {
  auto result = text_format<mail_transport>(
      "a mail transport", "\"file:var/outbox\", \"smtp://host:587\" or \"smtps://user:password@host:465\"",
      parse_transport);
  result.secret = true;
  return result;
}

format<std::string> mail_address() {
  return valid_text("a mail address", "\"no-reply@roost.example\"", is_mail_address);
}

format<std::vector<std::string>> host_names() {
  return list_format("a domain in lower case", "[\"host-one.example\"]", is_host_name);
}

format<std::vector<std::string>> web_hosts() {
  return list_format("a domain in lower case, with its port unless it is 443",
                     "[\"host-one.example\", \"host-two.example:8443\"]", [](const std::string& text) {
                       const auto colon = text.find(':');
                       if (colon == std::string::npos) return is_host_name(text);
                       const auto port =
                           parse_number<std::uint16_t>(std::string_view(text).substr(colon + 1));
                       return is_host_name(text.substr(0, colon)) && port && *port != 0 && *port != 443;
                     });
}

format<std::vector<std::string>> product_names() {
  return list_format("a product's name without a version", "[\"HostOne-Importer\"]",
                     [](const std::string& text) {
                       // The characters of a token (RFC 9110, 5.6.2).
                       const auto allowed = [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
                       };
                       return !text.empty() && std::ranges::all_of(text, allowed);
                     });
}

format<std::string> platform_name() {
  return valid_text("a name of lower-case letters, digits and dashes", "\"marketplace-a\"", is_platform_name);
}

format<domain::platform_kind> platform_kind() {
  return text_format<domain::platform_kind>(
      "a kind of platform", "\"marketplace-a\"",
      [](const std::string& text) -> std::optional<domain::platform_kind> {
        const auto kind = domain::parse_name<domain::platform_kind>(text);
        if (!kind) {
          if (const auto intended = nearest(text, kind_names()))
            throw refusal{in_quotes(text) + " is not a kind of platform" + suggestion(intended)};
        }
        return kind;
      });
}

format<std::string> route_prefix() {
  return text_format<std::string>(
      "one path segment", "\"marketplace-a\"", [](const std::string& text) -> std::optional<std::string> {
        if (std::ranges::find(reserved_prefixes, text) != reserved_prefixes.end())
          throw refusal{in_quotes(text) + " is reserved for the service's own routes"};
        if (!is_path_segment(text)) return std::nullopt;
        return text;
      });
}

format<std::vector<std::string>> regions() {
  return list_format("a city", "[\"Madrid\"]", [](const std::string& text) { return !text.empty(); });
}

format<std::optional<domain::uuid>> account_id() {
  using account = std::optional<domain::uuid>;
  return text_format<account>("an account's id", "\"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001\"",
                              [](const std::string& text) -> std::optional<account> {
                                const account id = domain::parse_uuid(text);
                                if (!id) return std::nullopt;
                                return std::optional<account>(std::in_place, id);
                              });
}

format<std::vector<std::string>> permissions() {
  return list_format("a permission", "[\"bookings.view\", \"bookings.create\"]", [](const std::string& text) {
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '.';
    };
    return text == "*" || (!text.empty() && std::ranges::all_of(text, allowed));
  });
}

} // namespace roost::config
