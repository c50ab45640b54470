#include "http/connector/oauth_messages.hpp"

#include "http/json/object_reader.hpp"
#include "json/writer.hpp"

namespace roost::http {

namespace {

/// Runs the handler, and answers what it refuses.
asio::awaitable<response> run(const std::variant<handler, immediate_handler>& inner, request& req) {
  response answer;
  try {
    if (const auto* immediate = std::get_if<immediate_handler>(&inner))
      answer = (*immediate)(req);
    else
      answer = co_await std::get<handler>(inner)(req);
  } catch (const oauth_refusal& refusal) {
    answer = to_response(refusal);
  }
  allow_every_origin(answer);
  co_return answer;
}

response refused_by_protocol(const request&, const error& refusal) {
  auto answer = to_response(refusal);
  forbid_storing(answer);
  allow_every_origin(answer);
  return answer;
}

} // namespace

oauth_refusal invalid_request(std::string description) {
  return {400, "invalid_request", std::move(description)};
}

response to_response(const oauth_refusal& refusal) {
  json::writer body;
  body.begin_object();
  body.field("error", refusal.error);
  body.field("error_description", refusal.description);
  body.end_object();
  auto answer = json(refusal.status, std::string(body.text()));
  forbid_storing(answer);
  if (refusal.status == 503) answer.fields.emplace_back("Retry-After", "3600");
  return answer;
}

void forbid_storing(response& answer) { answer.fields.emplace_back("Cache-Control", "no-store"); }

void allow_every_origin(response& answer) {
  answer.fields.emplace_back("Access-Control-Allow-Origin", "*");
  answer.fields.emplace_back("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate");
}

void answer_as_oauth(std::vector<route>& routes) {
  for (auto& each : routes) {
    each.render_error = refused_by_protocol;
    each.handle = handler([inner = std::move(each.handle)](request& req) { return run(inner, req); });
  }
}

route preflight(std::string pattern, std::string methods) {
  const auto answer = [methods = std::move(methods)](request&) {
    auto allowed = empty(204);
    allowed.fields = {{"Access-Control-Allow-Origin", "*"},
                      {"Access-Control-Allow-Methods", methods},
                      {"Access-Control-Allow-Headers", "authorization, content-type, mcp-protocol-version"},
                      {"Access-Control-Max-Age", "86400"}};
    return allowed;
  };
  return {"OPTIONS", std::move(pattern), body_policy::none, {}, immediate_handler(answer)};
}

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
