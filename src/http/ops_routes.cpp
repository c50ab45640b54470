#include "http/ops_routes.hpp"

#include "http/utf8.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace roost::http {
namespace {

using writer = rapidjson::Writer<rapidjson::StringBuffer>;

void write_text(writer& json, const std::string& text) {
  const std::string valid = to_utf8(text);
  json.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
}

/// What is wrong with a check, which counts as not ready when it throws.
std::optional<std::string> outcome(const readiness_check& check) {
  try {
    return check.reason();
  } catch (...) {
    return "the check itself failed";
  }
}

response readiness(const std::vector<readiness_check>& checks) {
  rapidjson::StringBuffer results;
  writer json(results);
  bool ready = true;
  json.StartObject();
  for (const auto& check : checks) {
    const auto reason = outcome(check);
    ready = ready && !reason;
    write_text(json, check.name);
    write_text(json, reason.value_or("ok"));
  }
  json.EndObject();

  rapidjson::StringBuffer buffer;
  writer document(buffer);
  document.StartObject();
  document.Key("status");
  document.String(ready ? "ready" : "not ready");
  document.Key("checks");
  document.RawValue(results.GetString(), results.GetSize(), rapidjson::kObjectType);
  document.EndObject();
  return http::json(ready ? 200 : 503, std::string(buffer.GetString(), buffer.GetSize()));
}

response metrics_text(metrics::registry& registry) {
  response answer;
  answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
  answer.body = registry.scrape();
  return answer;
}

} // namespace

router make_ops_router(metrics::registry& registry, std::vector<readiness_check> checks) {
  router routes;
  routes.mount(
      "", {{"GET", "/healthz", immediate_handler([](request&) { return json(200, R"({"status":"ok"})"); })},
           {"GET", "/readyz",
            immediate_handler([checks = std::move(checks)](request&) { return readiness(checks); })},
           {"GET", "/metrics", immediate_handler([&registry](request&) { return metrics_text(registry); })}});
  return routes;
}

} // namespace roost::http
