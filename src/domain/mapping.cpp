#include "domain/mapping.hpp"

#include "domain/text.hpp"
#include "domain/unit.hpp"

#include <boost/url/pct_string_view.hpp>
#include <boost/url/src.hpp> // compiles the library here, so that Debian's header package suffices

#include <algorithm>
#include <charconv>
#include <utility>

namespace roost::domain {

namespace {

constexpr std::string_view static_id = "staticId";

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Removes `prefix`, ignoring letter case; false if the URL does not start with it.
bool consume_scheme(std::string_view& url, std::string_view prefix) {
  if (url.size() < prefix.size() || lower_case(url.substr(0, prefix.size())) != prefix) return false;
  url.remove_prefix(prefix.size());
  return true;
}

/// Splits a text at a separator, and omits empty parts.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Returns whether a text is a DNS name or an IPv4 address in lower case. Internationalized names must be in
/// `xn--` form, because browsers convert other letters in different ways.
bool is_host(std::string_view host) {
  char before = '.';
  for (const char c : host) {
    if (c == '.' && before == '.') return false;
    if (c != '.' && c != '-' && c != '_' && !is_letter_or_digit(c)) return false;
    before = c;
  }
  return !host.empty() && host.size() <= 253 && before != '.';
}

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return text.empty() || (error == std::errc{} && end == text.data() + text.size() && port <= 65535);
}

std::optional<std::string> read_host(std::string_view authority) {
  const auto colon = std::min(authority.find(':'), authority.size());
  if (colon < authority.size() && !is_port(authority.substr(colon + 1))) return std::nullopt;
  auto host = lower_case(authority.substr(0, colon));
  if (host.ends_with('.')) host.pop_back(); // the root label: an equivalent name
  if (!is_host(host)) return std::nullopt;
  return host;
}

std::optional<std::string> percent_decode(std::string_view text) {
  const auto encoded = boost::urls::make_pct_string_view({text.data(), text.size()});
  return encoded ? std::optional(encoded->decode()) : std::nullopt;
}

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Returns the decoded path with `.` and `..` resolved as browsers do; nullopt if an escape is broken.
std::optional<std::vector<std::string>> decoded_path(const page_url& url) {
  std::vector<std::string> path;
  for (const auto raw : url.segments) {
    auto segment = percent_decode(raw);
    if (!segment) return std::nullopt;
    if (*segment == "..") {
      if (!path.empty()) path.pop_back();
    } else if (*segment != ".") {
      path.push_back(std::move(*segment));
    }
  }
  return path;
}

/// Returns a value of a form-encoded query: empty if it is missing, nullopt if an escape is broken.
std::optional<std::string> query_value(std::string_view query, std::string_view name) {
  for (const auto pair : split(query, '&')) {
    const auto equals = std::min(pair.find('='), pair.size());
    if (percent_decode(pair.substr(0, equals)) != name) continue;
    std::string value{pair.substr(std::min(equals + 1, pair.size()))};
    std::ranges::replace(value, '+', ' ');
    return percent_decode(value);
  }
  return std::string{};
}

/// The path segment after which an ID starts, and the number of segments that the ID may have.
struct id_marker {
  std::string_view segment;
  int length;
};

/// Returns nullopt if the ID is the last segment.
std::optional<id_marker> marker_of(id_in_url where) {
  if (where == id_in_url::after_room) return id_marker{"room", 1};
  if (where == id_in_url::after_house) return id_marker{"house", 2};
  return std::nullopt;
}

/// Returns the ID, its segments joined with underscores; empty if there is none.
std::string id_in_path(const std::optional<id_marker>& marker, const std::vector<std::string>& path) {
  if (!marker) return path.empty() ? std::string{} : path.back();
  auto at = std::ranges::find(path, marker->segment);
  std::string joined;
  for (int i = 0; i < marker->length && at != path.end() && ++at != path.end(); ++i)
    joined += (i > 0 ? "_" : "") + *at;
  return joined;
}

/// Returns where URLs have the ID, for the message that it is missing.
std::string place_of(const std::optional<id_marker>& marker) {
  return marker ? "after /" + std::string{marker->segment} + "/" : "at the end of its path";
}

} // namespace

std::optional<page_url> parse_page_url(std::string_view url) {
  if (std::ranges::any_of(url, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; }))
    return std::nullopt;
  if (!consume_scheme(url, "https://") && !consume_scheme(url, "http://")) return std::nullopt;
  const auto authority = url.substr(0, url.find_first_of("/?#"));
  auto host = read_host(authority); // also rejects `@` and `\`, which no host contains
  if (!host) return std::nullopt;
  url.remove_prefix(authority.size());
  url = url.substr(0, url.find('#'));
  const auto question = std::min(url.find('?'), url.size());
  return page_url{std::move(*host), split(url.substr(0, question), '/'),
                  url.substr(std::min(question + 1, url.size()))};
}

bool is_within(std::string_view host, const std::vector<std::string>& domains) {
  return std::ranges::any_of(domains, [&](const std::string& configured) {
    const auto domain = lower_case(configured);
    if (domain.empty() || !host.ends_with(domain)) return false;
    return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
  });
}

bool is_external_id(std::string_view text) {
  std::size_t characters = 0;
  while (!text.empty()) {
    const auto character = take_character(text);
    if (!character || ++characters > max_external_id_length) return false;
    if (*character < 0x20 || (*character >= 0x7f && *character < 0xa0)) return false;
  }
  return characters > 0;
}

bool is_external_id_of(const platform& platform, std::string_view id) {
  const auto separator = id.find('_');
  if (!traits_of(platform).matches_by_property || separator == std::string_view::npos) return true;
  return separator > 0 && separator + 1 < id.size() && id.find('_', separator + 1) == std::string_view::npos;
}

std::string_view link_problem(const platform& platform, std::string_view id) {
  if (is_external_id_of(platform, id)) return {};
  return "must hold the ID of a property, or of a property and a room joined with \"_\", neither of them "
         "empty or "
         "with an underscore of its own";
}

std::optional<std::string_view> property_part(std::string_view external_id) {
  const auto separator = external_id.find('_');
  if (separator == std::string_view::npos) return std::nullopt;
  return external_id.substr(0, separator);
}

std::variant<std::string, mapping_problem> external_id_from_url(const platform& platform,
                                                                std::string_view url) {
  constexpr std::string_view white = " \t\r\n"; // pasted along with the URL
  url.remove_prefix(std::min(url.find_first_not_of(white), url.size()));
  url = url.substr(0, url.find_last_not_of(white) + 1);
  if (url.find("://") == std::string_view::npos)
    return mapping_problem{"must be the unit's full URL on the platform, not a bare ID"};
  const auto parts = parse_page_url(url);
  if (!parts) return mapping_problem{"must be a well-formed http or https URL"};
  if (!is_within(parts->host, platform.domains))
    return mapping_problem{"must be on the domain of " + platform.name + " (" + join(platform.domains) +
                           "), not " + parts->host};

  const auto path = decoded_path(*parts);
  const auto where = traits_of(platform).link;
  auto id =
      where == id_in_url::static_id_else_last_segment ? query_value(parts->query, static_id) : std::string{};
  if (!path || !id) return mapping_problem{"has broken percent-encoding"};
  const auto marker = marker_of(where);
  if (id->empty()) id = id_in_path(marker, *path);
  if (id->empty()) return mapping_problem{"holds no ID " + place_of(marker)};
  if (!is_external_id(*id))
    return mapping_problem{"must hold an ID of 1 to 256 characters without control characters"};
  return std::move(*id);
}

} // namespace roost::domain
