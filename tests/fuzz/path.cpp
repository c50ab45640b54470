#include "fuzz/support/target.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/router.hpp"
#include "http/protocol/text_encoding.hpp"

#include <algorithm>
#include <string>
#include <vector>

/// Paths of requests.
namespace roost::fuzz::path {
namespace {

http::router routes() {
  const auto route = [](std::string method, std::string pattern) {
    return http::route{std::move(method),
                       std::move(pattern),
                       http::body_policy::none,
                       {},
                       http::immediate_handler{[](http::request&) { return http::empty(204); }}};
  };
  http::router router;
  router.mount("", {route("GET", "/account"), route("GET", "/readyz")});
  router.mount("/marketplace-a",
               {route("GET", "/listings"), route("GET", "/listings/{externalId}"),
                route("GET", "/listings/{externalId}/calendar"), route("POST", "/bookings")});
  router.mount("/ical-integration", {route("GET", "/{listingId}")});
  return router;
}

void check(std::string_view input) {
  const auto is_allowed = [](char c) { return c > ' ' && c < 0x7f && c != '?' && c != '#'; };
  if (!input.starts_with('/') || !std::ranges::all_of(input, is_allowed))
    return; // the parser of requests refuses it, or ends the path
  static const auto router = routes();
  std::vector<std::string> parameters;
  try {
    const auto found = router.find("GET", input, parameters);
    if (found == http::router::npos) return;
    const auto& entry = router.entries().at(found);
    const auto placeholders = static_cast<std::size_t>(std::ranges::count(entry.pattern, '{'));
    require(parameters.size() == placeholders, "a route has all of its parameters");
    require(std::ranges::count(input, '/') == std::ranges::count(entry.pattern, '/'),
            "a parameter is one segment");
    for (const auto& parameter : parameters) require(http::is_utf8(parameter), "a parameter is UTF-8");
    std::vector<std::string> others;
    require(router.find("HEAD", input, others) == found && others == parameters, "HEAD is like GET");
  } catch (const http::error& refusal) {
    require(refusal.status == 400, "a path is refused with 400");
  }
}

const target registered{"path", "PathsMatchARouteSegmentBySegment", check};

} // namespace
} // namespace roost::fuzz::path
