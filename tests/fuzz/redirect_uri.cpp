#include "domain/text.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "oauth/urls.hpp"
#include "oauth/web_address.hpp"

#include <curl/curl.h>

#include <memory>
#include <string>

/// Redirect URIs and resources. The first line is a registered URI, the second the one of a request.
namespace roost::fuzz::redirect_uri {
namespace {

/// Requires that an accepted address has only parts that no program can read in another way.
void check_address(std::string_view text, const oauth::web_address& address) {
  require(address.scheme == "https" || address.scheme == "http", "a web address is http or https");
  require(!address.host.empty() && address.host.find_first_of("@/?#\\% ") == std::string::npos,
          "a host contains no separator");
  require(address.port != 0, "a port is not zero");
  require(address.path.empty() || address.path.starts_with('/'), "a path starts with a slash");
  require(address.query.empty() || address.query.starts_with('?'), "a query starts with a question mark");
  require(!has_control(text) && text.find_first_of(" #\\") == std::string_view::npos,
          "a web address has no control characters, blanks, fragments and backslashes");
  const auto written = address.origin() + address.path + address.query;
  require(oauth::parse_web_address(written) == address, "a written address is read as the same");
}

/// Requires that curl, which fetches documents, reads the same host and port, if it accepts the address.
void check_with_curl(std::string_view text, const oauth::web_address& address) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url{curl_url(), &curl_url_cleanup};
  if (curl_url_set(url.get(), CURLUPART_URL, std::string{text}.c_str(), CURLU_PATH_AS_IS) != CURLUE_OK)
    return;
  const auto part_of = [&](CURLUPart part) {
    char* value = nullptr;
    require(curl_url_get(url.get(), part, &value, CURLU_DEFAULT_PORT) == CURLUE_OK,
            "curl finds each part of an address");
    const std::unique_ptr<char, decltype(&curl_free)> owned{value, &curl_free};
    return std::string{value};
  };
  const auto host = domain::lower_case(part_of(CURLUPART_HOST));
  // curl converts other forms of addresses: 127.1 and [0::1].
  const bool is_number = host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string::npos;
  require(host == address.host || is_number, "curl reads the same host");
  require(part_of(CURLUPART_PORT) == std::to_string(address.port), "curl reads the same port");
}

void check(std::string_view input) {
  const auto registered = take_line(input), requested = take_line(input);
  const auto address = oauth::parse_web_address(registered);
  if (address) {
    check_address(registered, *address);
    check_with_curl(registered, *address);
    const auto resource = oauth::normalized_resource(registered);
    require(resource.has_value(), "an address is a resource");
    require(oauth::normalized_resource(*resource) == resource, "a normalized resource is normalized");
    require(oauth::is_registered_redirect(registered, registered), "a redirect URI is equal to itself");
  }
  const oauth::redirect_policy policy{{"https://claude.example/api/callback"},
                                      {"https://chat.example/connector/"}};
  if (policy.allows(registered)) {
    require(address.has_value(), "an allowed URI is a web address");
    require(oauth::is_loopback(*address) || address->host == "claude.example" ||
                address->host == "chat.example",
            "an allowed URI is on an allowed host");
    require(oauth::is_https_or_on_this_machine(*address), "an allowed URI is protected");
  }
  if (oauth::is_registered_redirect(registered, requested) && registered != requested) {
    const auto other = oauth::parse_web_address(requested);
    require(address && other && oauth::is_loopback(*address) && oauth::is_loopback(*other),
            "only URIs on the user's machine match without being equal");
    require(address->path == other->path && address->query == other->query, "only ports may differ");
    require(oauth::is_registered_redirect(requested, registered), "matching is symmetric");
  }
}

const target registered{"redirect_uri", "AcceptedRedirectUrisHaveOneMeaning", check};

} // namespace
} // namespace roost::fuzz::redirect_uri
