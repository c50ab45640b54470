#include "http/pages/pages.hpp"
#include "http/protocol/representation.hpp"

namespace roost::embedded {
extern const std::string_view page_style, page_countdown, page_icon;
} // namespace roost::embedded

namespace roost::http {

namespace {

route asset(std::string pattern, std::string_view content_type, std::string_view text) {
  return document_route(std::move(pattern),
                        {.content_type = content_type,
                         .text = std::string(text),
                         .fields = {{"Cache-Control", "no-cache"}, {"X-Content-Type-Options", "nosniff"}}});
}

} // namespace

std::vector<route> page_assets() {
  std::vector<route> routes;
  routes.push_back(asset("/pages/style.css", "text/css; charset=utf-8", embedded::page_style));
  routes.push_back(asset("/pages/countdown.js", "text/javascript; charset=utf-8", embedded::page_countdown));
  routes.push_back(asset("/pages/icon.svg", "image/svg+xml", embedded::page_icon));
  return routes;
}

} // namespace roost::http
