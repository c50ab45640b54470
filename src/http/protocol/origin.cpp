#include "bytes/ascii.hpp"
#include "http/protocol/browser.hpp"

#include <algorithm>

namespace roost::http {

namespace {

/// Whether a URL that a browser wrote lies within an origin.
bool lies_within(std::string_view url, std::string_view origin) {
  return url.starts_with(origin) &&
         (url.size() == origin.size() ||
          std::string_view("/?#").find(url[origin.size()]) != std::string_view::npos);
}

bool comes_from(const request& req, std::string_view origin) {
  const auto says = [&](std::string_view field) { return req.count(field) > 0; };
  const auto only = [&](std::string_view field) {
    return req.count(field) == 1 ? req.header(field) : std::string_view{};
  };
  if (says("Origin")) return only("Origin") == origin;
  if (says("Sec-Fetch-Site")) { // none: the user typed the address himself
    const auto site = only("Sec-Fetch-Site");
    return site == "same-origin" || site == "none";
  }
  return !says("Referer") || lies_within(only("Referer"), origin);
}

} // namespace

std::string origin_of(std::string_view url) {
  const auto authority = url.find("://") + 3;
  std::string origin(url.substr(0, url.find_first_of("/?#", authority)));
  std::ranges::transform(origin, origin.begin(), ascii::lower);
  const std::string_view usual_port = origin.starts_with("https:") ? ":443" : ":80";
  if (origin.ends_with(usual_port)) origin.resize(origin.size() - usual_port.size());
  return origin;
}

check origin_check(std::string_view base_url) {
  return [origin = origin_of(base_url)](request& req) {
    if (!comes_from(req, origin)) throw forbidden("Forbidden resource");
  };
}

} // namespace roost::http
