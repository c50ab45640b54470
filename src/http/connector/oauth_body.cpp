#include "http/connector/oauth_body.hpp"

#include "http/connector/oauth_responses.hpp"
#include "http/json/json_body.hpp"

namespace roost::http {

namespace {

form_fields parse_json(std::string& text) {
  const json_body parsed(text);
  form_fields fields;
  for (const auto each : parsed.root()) {
    std::string_view value;
    if (each.value.get(value)) continue;
    if (!fields.try_emplace(std::string(each.key), value).second)
      throw invalid_request(std::string(each.key) + " comes twice");
  }
  return fields;
}

bool is_json(const request& req) { return req.header("content-type").find("json") != std::string_view::npos; }

} // namespace

form_fields oauth_parameters(request& req) try {
  return is_json(req) ? parse_json(req.body) : read_form(req.body);
} catch (const error& malformed) {
  if (malformed.status != 400) throw;
  throw invalid_request(malformed.message);
}

std::optional<std::string> parameter(const form_fields& of, std::string_view name) {
  const auto found = of.find(name);
  if (found == of.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

} // namespace roost::http
