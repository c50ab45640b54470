#include "http/documents/openapi.hpp"
#include "http/protocol/representation.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::embedded {
extern const std::string_view explorer_page, explorer_start, explorer_icon, explorer_bundle,
    explorer_bundle_gzip, explorer_bundle_licenses, explorer_style, explorer_style_gzip, explorer_license,
    explorer_notice;
} // namespace roost::embedded

namespace roost::http {

namespace {

/// Allows data: images, which Swagger UI's style sheet contains.
constexpr std::string_view security_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fixed_document explorer_document(std::string_view content_type, std::string text, std::string gzip = {}) {
  return {.content_type = content_type,
          .text = std::move(text),
          .gzip = std::move(gzip),
          .fields = {{"Content-Security-Policy", std::string{security_policy}},
                     {"Cross-Origin-Opener-Policy", "same-origin"},
                     {"Referrer-Policy", "no-referrer"},
                     {"Cache-Control", "no-cache"}}};
}

/// Returns the page with a service-desc link to each document. Names and titles need no escaping: platforms'
/// prefixes and names contain no characters that are special in HTML.
std::string page_of(const std::vector<documented_api>& documents) {
  constexpr std::string_view placeholder = "<!-- documents -->\n";
  std::string links;
  for (const auto& each : documents)
    links += R"(<link rel="service-desc" type="application/json" href="/)" + each.name + R"(-json" title=")" +
             each.title + "\">\n";
  std::string page{embedded::explorer_page};
  return page.replace(page.find(placeholder), placeholder.size(), links);
}

} // namespace

std::vector<route> explorer_page(const std::vector<documented_api>& documents) {
  return {document_route("", explorer_document("text/html; charset=utf-8", page_of(documents)))};
}

std::vector<route> explorer_parts() {
  constexpr std::string_view script = "text/javascript; charset=utf-8", plain = "text/plain; charset=utf-8";
  std::vector<route> parts;
  const auto add = [&](const char* name, std::string_view content_type, std::string_view text,
                       std::string_view gzip = {}) {
    parts.push_back(document_route(std::string{"/explorer/"} + name, [=] {
      return explorer_document(content_type, std::string{text}, std::string{gzip});
    }));
  };
  add("start.js", script, embedded::explorer_start);
  add("icon.svg", "image/svg+xml", embedded::explorer_icon);
  add("swagger-ui-bundle.js", script, embedded::explorer_bundle, embedded::explorer_bundle_gzip);
  add("swagger-ui.css", "text/css; charset=utf-8", embedded::explorer_style, embedded::explorer_style_gzip);
  // The bundle's first line refers to this file name.
  add("swagger-ui-bundle.js.LICENSE.txt", plain, embedded::explorer_bundle_licenses);
  add("LICENSE.txt", plain, embedded::explorer_license);
  add("NOTICE.txt", plain, embedded::explorer_notice);
  return parts;
}

} // namespace roost::http
