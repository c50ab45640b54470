#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "http/protocol/browser.hpp"
#include "http/protocol/error.hpp"

#include <optional>
#include <string>
#include <vector>

/// Cookies, one header field per line, and the headers by which requests of other sites are refused.
namespace roost::fuzz::cookie {
namespace {

constexpr std::string_view base_url = "https://roost.example";

http::request request_with(const std::vector<http::header_field>& fields) {
  http::request req;
  req.fields = fields;
  return req;
}

void check_cookies(const std::vector<std::string_view>& lines) {
  std::vector<http::header_field> fields, reversed;
  std::string joined;
  for (const auto line : lines) {
    fields.push_back({"Cookie", line});
    reversed.insert(reversed.begin(), {"cookie", line});
    joined.append(line).append("; ");
  }
  const http::own_cookie own{"roost_session", base_url};
  const auto value = own.in(request_with(fields));
  require(own.in(request_with(reversed)) == value, "the order of fields does not matter");
  require(own.in(request_with({{"COOKIE", joined}})) == value, "several fields are like one");
  if (!value) return;
  require(value->find(';') == std::string_view::npos, "a cookie ends at a semicolon");
  require(joined.find(own.name() + '=' + std::string{*value}) != std::string::npos, "a cookie was sent");
  fields.push_back({"Cookie", "__Host-roost_session=another-value-of-another-site"});
  require(own.in(request_with(fields)) == std::nullopt || *value == "another-value-of-another-site",
          "a second value makes the cookie unusable");
}

/// Requires that a request that names another site is refused.
void check_origin(std::string_view origin) {
  const auto refuse_others = http::origin_check(base_url);
  const auto passes = [&](std::string_view name) {
    auto req = request_with({{name, origin}});
    try {
      refuse_others(req);
      return true;
    } catch (const http::error& refusal) {
      require(refusal.status == 403, "another site is refused with 403");
      return false;
    }
  };
  require(passes("Origin") == (origin == base_url), "only the own origin passes");
  if (passes("Referer"))
    require(origin.starts_with(base_url) &&
                (origin.size() == base_url.size() ||
                 std::string_view{"/?#"}.find(origin[base_url.size()]) != std::string_view::npos),
            "only the own pages pass");
}

void check(std::string_view input) {
  std::vector<std::string_view> lines;
  while (!input.empty() && lines.size() < 20) lines.push_back(take_line(input));
  check_cookies(lines);
  for (const auto line : lines) check_origin(line);
}

const target registered{"cookie", "CookiesAreFoundInAnyOrder", check};

} // namespace
} // namespace roost::fuzz::cookie
