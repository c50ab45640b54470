#include "http/operations/ops_routes.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/text_encoding.hpp"
#include "json/writer.hpp"

#include <boost/asio/ip/address_v4.hpp>

#include <algorithm>

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
    if (check.is_advisory && !reason) continue;
    ready = ready && (!reason || check.is_advisory);
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

/// Returns the host that a request names, in lower case and without a port; empty if it names none.
std::string host_of(const request& req) {
  auto host = req.header("host");
  if (!host.starts_with('[')) host = host.substr(0, host.find(':'));
  if (host.ends_with('.')) host.remove_suffix(1);
  std::string name(host);
  std::ranges::transform(name, name.begin(), ascii::lower);
  return name;
}

check host_check(std::vector<std::string> hosts) {
  return [hosts = std::move(hosts)](request& req) {
    const auto host = host_of(req);
    if (host.empty() || host == "localhost" || host.starts_with('[')) return;
    if (std::ranges::find(hosts, host) != hosts.end()) return;
    boost::system::error_code is_name;
    boost::asio::ip::make_address_v4(host, is_name);
    if (is_name)
      throw forbidden("This listener does not serve the host " + host +
                      ". Add it to ops.hosts, or use the address.");
  };
}

response metrics_text(metrics::registry& registry) {
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = registry.scrape()};
}

} // namespace

router make_ops_router(metrics::registry& registry, const std::vector<readiness_check>& checks,
                       busiest_report busiest, std::vector<std::string> hosts) {
  std::vector<route> routes{
      {"GET", "/healthz", body_policy::none, {}, immediate_handler([](request&) {
         return json(200, R"({"status":"ok"})");
       })},
      readiness_route(checks),
      {"GET", "/metrics", body_policy::none, {}, immediate_handler([&registry](request&) {
         return metrics_text(registry);
       })},
      {"GET", "/busiest", body_policy::none, {}, immediate_handler([busiest = std::move(busiest)](request&) {
         return json(200, busiest());
       })}};
  for (auto& each : routes) each.entry.checks = {host_check(hosts)};
  router result;
  result.mount("", std::move(routes));
  return result;
}

} // namespace roost::http
