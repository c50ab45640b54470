#include "config/formats.hpp"

#include "domain/email_address.hpp"
#include "domain/text.hpp"
#include "oauth/web_address.hpp"
#include "store/address/store_url.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <memory>
#include <sstream>

namespace roost::config {

namespace {

constexpr std::size_t max_shown = 60;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

/// Shortens the text without splitting a UTF-8 sequence.
std::string shortened(std::string text) {
  if (text.size() <= max_shown) return text;
  auto end = max_shown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string checked_text(const toml::node& node, const std::string& text) {
  if (std::ranges::any_of(text, is_control)) throw refusal{shown(node) + " contains a control character"};
  return text;
}

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

/// Refuses URLs beyond ASCII: headers, redirects and tokens need their ASCII form, and clients send it.
void check_ascii(const std::string& url, const url_parts& parts) {
  if (std::ranges::all_of(url, [](unsigned char c) { return c < 0x80; })) return;
  const auto host = domain::ascii_domain(parts.host);
  throw refusal{in_quotes(shortened(masked(url))) + " is not an http or https URL in ASCII; " +
                (host && *host != parts.host ? "write its host as " + *host
                                             : "percent-encode the letters beyond ASCII")};
}

std::optional<url_parts> split_web_url(const std::string& text) {
  auto parts = split_url(text, "https");
  if (!parts) parts = split_url(text, "http");
  if (parts && (!parts->user.empty() || !parts->password.empty() || !parts->fragment.empty()))
    return std::nullopt;
  if (parts) check_ascii(text, *parts);
  return parts;
}

bool is_lower_case(const std::string& text) { return domain::lower_case(text) == text; }

/// The first path segments of the service's own routes.
constexpr std::array<std::string_view, 12> reserved_prefixes = {
    "auth",     "oauth",   "ai-usage", ".well-known", "ical-integration", "ical-integration-json",
    "explorer", "account", "sign-in",  "management",  "management-json",  "reset-password"};

/// Accepts only unreserved characters (RFC 3986), because prefixes are compared with paths without decoding.
bool is_path_segment(const std::string& text) {
  return text != "." && text != ".." && is_alphanumeric_or(text, "-._~");
}

} // namespace

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return in_quotes(shortened(masked(text->get())));
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* fraction = node.as_floating_point()) {
    std::ostringstream out;
    out << fraction->get();
    return out.str();
  }
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

refusal not_a(const toml::node& node, std::string_view expected, std::string_view example) {
  return {shown(node).append(" is not ").append(expected).append("; write for example ").append(example)};
}

std::string text_of(const toml::node& node, std::string_view expected, std::string_view example) {
  const auto* text = node.as_string();
  if (text == nullptr) throw not_a(node, expected, example);
  return checked_text(node, text->get());
}

format<std::vector<std::string>> list_format(std::string expected, std::string example,
                                             std::function<bool(const std::string&)> valid) {
  const auto read = [=](const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) throw not_a(node, "a list", example);
    std::vector<std::string> texts;
    for (const toml::node& element : *array) {
      const auto* text = element.as_string();
      if (text == nullptr) throw refusal{shown(element).append(" in the list is not a text")};
      texts.push_back(checked_text(element, text->get()));
    }
    for (const auto& text : texts)
      if (!valid(text))
        throw refusal{in_quotes(shortened(masked(text)))
                          .append(" in the list is not ")
                          .append(expected)
                          .append("; write for example ")
                          .append(example)};
    return texts;
  };
  return {read};
}

format<std::string> any_text() {
  return valid_text("a text", "\"some text\"", [](const auto&) { return true; });
}

format<std::filesystem::path> optional_path() {
  return valid_text<std::filesystem::path>("a path", "\"etc/file.pem\"", [](const auto&) { return true; });
}

template <class Duration>
format<Duration> duration_format(Duration min) {
  const auto read = [min](const toml::node& node) {
    constexpr std::string_view expected = "a duration";
    constexpr std::string_view example = "\"10s\"";
    const auto exact = parse_duration(text_of(node, expected, example));
    if (!exact) throw not_a(node, expected, example);
    const auto value = std::chrono::duration_cast<Duration>(*exact);
    if (value != *exact) throw refusal{shown(node) + " is finer than a millisecond"};
    if (value < min) throw refusal{shown(node) + " is too short: at least \"" + duration_text(min) + '"'};
    return value;
  };
  return {read};
}

template format<std::chrono::milliseconds> duration_format(std::chrono::milliseconds);
template format<std::chrono::nanoseconds> duration_format(std::chrono::nanoseconds);

std::int64_t integer_of(const toml::node& node, std::int64_t min, std::int64_t max) {
  const auto* number = node.as_integer();
  if (number == nullptr) throw not_a(node, "a whole number", std::to_string(std::max<std::int64_t>(min, 10)));
  if (number->get() < min) throw refusal{shown(node) + " is too small: at least " + std::to_string(min)};
  if (number->get() > max) throw refusal{shown(node) + " is too large: at most " + std::to_string(max)};
  return number->get();
}

std::string to_string(const endpoint& endpoint) {
  const bool v6 = endpoint.address.find(':') != std::string::npos;
  return (v6 ? '[' + endpoint.address + ']' : endpoint.address) + ':' + std::to_string(endpoint.port);
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

std::optional<std::string> parse_base_url(const std::string& text) {
  const auto parts = split_web_url(text);
  if (!parts || !parts->query.empty() || parts->port == "0") return std::nullopt;
  return text.substr(0, text.find_last_not_of('/') + 1);
}

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
  return mail_transport{.kind = secure ? mail_transport::protocol::smtps : mail_transport::protocol::smtp,
                        .host = parts->host,
                        .port = *port,
                        .user = parts->user,
                        .password = parts->password};
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

bool is_https_url(const std::string& text) { return text.starts_with("https:") && split_web_url(text); }

bool is_exact_url(const std::string& text) { return split_web_url(text) && oauth::parse_web_address(text); }

bool is_exact_https_url(const std::string& text) { return text.starts_with("https:") && is_exact_url(text); }

bool is_exact_https_prefix(const std::string& text) {
  constexpr std::string_view scheme = "https://";
  return is_exact_https_url(text) && text.find('/', scheme.size()) != std::string::npos;
}

bool is_sender(const std::string& text) {
  const auto sender = domain::parse_mailbox(text);
  return sender && !domain::needs_smtputf8(sender->address);
}

bool is_host_name(const std::string& text) {
  return is_alphanumeric_or(text, "-.") && is_lower_case(text) && text.front() != '.' && text.back() != '.' &&
         text.find("..") == std::string::npos;
}

bool is_internal_host_name(const std::string& text) {
  auto name = text;
  std::ranges::replace(name, '_', '-');
  return is_host_name(name);
}

bool is_web_host(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return is_host_name(text);
  const auto port = parse_number<std::uint16_t>(std::string_view(text).substr(colon + 1));
  return is_host_name(text.substr(0, colon)) && port && *port != 0 && *port != 443;
}

bool is_web_host_or_any(const std::string& text) { return text == "*" || is_web_host(text); }

/// The characters of a token (RFC 9110, 5.6.2).
bool is_product_name(const std::string& text) { return is_alphanumeric_or(text, "!#$%&'*+-.^_`|~"); }

bool is_platform_name(const std::string& text) {
  return is_alphanumeric_or(text, "-") && is_lower_case(text) && text.front() != '-';
}

format<std::string> store_url() {
  const auto read = [](const toml::node& node) {
    auto url = text_of(node, "a store", R"("sqlite3://var/roost.db")");
    // Never quote a PostgreSQL URL: if it is malformed, it is unclear where its password ends.
    if (const auto fault = store::store_url_error(url))
      throw refusal{(store::is_postgresql_url(url) ? "" : shown(node) + ' ') + *fault};
    return url;
  };
  return {read, true};
}

format<domain::platform_kind> platform_kind() {
  return text_format<domain::platform_kind>(
      "a kind of platform", "\"marketplace-a\"", [](const std::string& text) {
        const auto kind = domain::parse_name<domain::platform_kind>(text);
        const auto& names = domain::platform_kind_names;
        if (kind) return kind;
        if (const auto intended = nearest(text, std::vector<std::string>(names.begin(), names.end())))
          throw refusal{in_quotes(text) + " is not a kind of platform" + suggestion(intended)};
        return kind;
      });
}

format<std::vector<domain::platform_right>> platform_rights() {
  const auto names =
      list_format("a right (cancel, change or hold)", "[\"cancel\", \"hold\"]", [](const auto& text) {
        return domain::parse_name<domain::platform_right>(text).has_value();
      });
  const auto read = [read_names = names.read](const toml::node& node) {
    std::vector<domain::platform_right> rights;
    for (const auto& name : read_names(node)) {
      const auto right = domain::parse_name<domain::platform_right>(name).value();
      if (std::ranges::find(rights, right) != rights.end())
        throw refusal{in_quotes(name) + " is in the list twice"};
      rights.push_back(right);
    }
    return rights;
  };
  return {read};
}

format<std::string> route_prefix() {
  return valid_text("one path segment", "\"marketplace-a\"", [](const std::string& text) {
    if (std::ranges::find(reserved_prefixes, text) != reserved_prefixes.end())
      throw refusal{in_quotes(text) + " is reserved for the service's own routes"};
    return is_path_segment(text);
  });
}

format<std::optional<domain::uuid>> account_id() {
  return {text_format<domain::uuid>("an account's id", "\"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001\"",
                                    [](const std::string& text) { return domain::parse_uuid(text); })
              .read};
}

format<std::vector<std::string>> permissions() {
  return list_format("a permission", "[\"bookings.view\", \"bookings.create\"]",
                     [](const std::string& text) { return text == "*" || is_alphanumeric_or(text, "_."); });
}

} // namespace roost::config
