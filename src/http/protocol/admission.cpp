#include "http/protocol/admission.hpp"

#include "bytes/ascii.hpp"

namespace roost::http {
namespace {

constexpr std::string_view json_type = "application/json";
constexpr std::string_view form_type = "application/x-www-form-urlencoded";

/// Returns the media type in Content-Type without its parameters.
std::string_view media_type(const request& req) {
  const auto value = req.header("Content-Type");
  return ascii::trim(value.substr(0, value.find(';')));
}

bool is_accepted(body_policy policy, std::string_view type) {
  return ascii::equal_ignoring_case(type, json_type) ||
         (policy == body_policy::form && ascii::equal_ignoring_case(type, form_type));
}

void check_content_type(body_policy policy, const head& head, const request& req) {
  if (policy == body_policy::none) return;
  const auto fields = req.count("Content-Type");
  if (fields == 0 ? head.body != framing::none : fields > 1 || !is_accepted(policy, media_type(req)))
    throw unsupported_media_type();
  for (const auto coding : req.all("Content-Encoding"))
    if (!ascii::equal_ignoring_case(coding, "identity")) throw unsupported_media_type();
}

} // namespace

void admit(const server_core& core, const head& head, request& req, std::size_t& index) {
  index = core.router.find(req.method, req.path, req.parameters);
  if (index == router::npos)
    throw not_found("Cannot " + std::string(req.method) + " " + std::string(req.target));
  const route& route = core.router.entries()[index].definition;
  for (const auto& check : route.entry.checks) check(req);
  check_content_type(route.body, head, req);
  if (head.body == framing::length && head.content_length > core.settings.max_body) throw payload_too_large();
}

bool only_reads(const route& route) { return route.method == "GET"; }

bool still_holds(const route& route, const response& response) {
  constexpr unsigned first_refusal = 400, first_failure = 500;
  if (!route.holds || response.status >= first_failure) return true;
  return (response.status < first_refusal && !only_reads(route)) || route.holds();
}

void check_body(body_policy policy, const request& req) {
  if (policy != body_policy::none && req.body.empty() &&
      ascii::equal_ignoring_case(media_type(req), json_type))
    throw bad_request("Body cannot be empty when content-type is set to 'application/json'");
}

} // namespace roost::http
