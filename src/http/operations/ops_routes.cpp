#include "http/operations/ops_routes.hpp"

#include "http/protocol/text_encoding.hpp"
#include "json/writer.hpp"

namespace roost::http {
namespace {

/// Returns why a check is not ready; a check that throws is not.
std::optional<std::string> reason_of(const readiness_check& check) {
  try {
    return check.reason();
  } catch (...) {
    return "the check itself failed";
  }
}

response readiness(const std::vector<readiness_check>& checks) {
  json::writer results;
  bool ready = true;
  results.begin_object();
  for (const auto& check : checks) {
    const auto reason = reason_of(check);
    ready = ready && !reason;
    results.data_key(to_utf8(check.name));
    results.value(to_utf8(reason.value_or("ok")));
  }
  results.end_object();

  json::writer document;
  document.begin_object();
  document.field("status", ready ? "ready" : "not ready");
  document.key("checks");
  document.raw(results.text());
  document.end_object();
  return json(ready ? 200 : 503, std::string(document.text()));
}

route readiness_route(const std::vector<readiness_check>& checks) {
  route route{"GET", "/readyz", body_policy::none, {}, immediate_handler([&checks](request&) {
                return readiness(checks);
              })};
  route.is_probe = true;
  return route;
}

response metrics_text(metrics::registry& registry) {
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = registry.scrape()};
}

} // namespace

router make_ops_router(metrics::registry& registry, const std::vector<readiness_check>& checks,
                       busiest_report busiest) {
  router routes;
  routes.mount(
      "",
      {{"GET", "/healthz", body_policy::none, {}, immediate_handler([](request&) {
          return json(200, R"({"status":"ok"})");
        })},
       readiness_route(checks),
       {"GET", "/metrics", body_policy::none, {}, immediate_handler([&registry](request&) {
          return metrics_text(registry);
        })},
       {"GET", "/busiest", body_policy::none, {}, immediate_handler([busiest = std::move(busiest)](request&) {
          return json(200, busiest());
        })}});
  return routes;
}

} // namespace roost::http
