#include "metrics/http_metrics.hpp"

#include <algorithm>

namespace roost::metrics {

namespace {

counter refused_requests(registry& registry, const std::string& listener, const char* limit) {
  return registry.counter("roost_http_refused_requests_total",
                          "Requests refused because a limit was reached, by limit",
                          {{"listener", listener}, {"limit", limit}});
}

counter responses(registry& registry, const std::string& listener, const char* status) {
  return registry.counter("roost_http_responses_total", "Responses of all routes, by status",
                          {{"listener", listener}, {"status", status}});
}

/// Each bound is a line of every scrape, for every route in use. RoostReadsSlow requires 0.5 s and a bound
/// above it. Methods of one route share a histogram, for the same reason.
histogram request_durations(registry& registry, const std::string& route) {
  return registry.histogram("roost_http_request_duration_seconds",
                            "Time from a request's first byte to its written response", {{"route", route}},
                            {0.0005, 0.005, 0.05, 0.5, 5});
}

} // namespace

route_meter::route_meter(registry& registry, std::string listener, std::string method, std::string route,
                         std::span<const unsigned> watched)
    : registry_(registry), labels_{{"listener", std::move(listener)},
                                   {"method", std::move(method)},
                                   {"route", std::move(route)}},
      latency_(request_durations(registry, labels_.at("route"))) {
  for (const auto status : watched) counter_of(status);
}

counter route_meter::counter_of(unsigned status) {
  auto& slot = by_status_[std::clamp(status, 100U, 599U) - 100];
  counter counted = slot.load(std::memory_order_acquire);
  if (!counted) {
    labels with_status = labels_;
    with_status["status"] = std::to_string(status);
    counted = registry_.counter("roost_http_requests_total", "Completed requests", with_status);
    slot.store(counted, std::memory_order_release);
  }
  return counted;
}

void route_meter::record(unsigned status, double seconds) {
  counter_of(status).increment();
  latency_.observe(seconds);
}

listener_meter::listener_meter(registry& registry, const std::string& listener)
    : in_flight(registry.gauge("roost_http_requests_in_flight", "Complete requests that are being handled",
                               {{"listener", listener}})),
      waiting(registry.gauge("roost_http_waiting_requests", "Requests that wait for a change",
                             {{"listener", listener}})),
      awaited_bodies(registry.gauge("roost_http_awaited_bodies",
                                    "Requests whose body has not arrived completely",
                                    {{"listener", listener}})),
      open_connections(
          registry.gauge("roost_http_open_connections", "Connections open now", {{"listener", listener}})),
      accepted_connections(
          registry.counter("roost_http_connections_total", "Connections accepted", {{"listener", listener}})),
      refused_connections(registry.counter("roost_http_refused_connections_total",
                                           "Connections refused because the limit was reached",
                                           {{"listener", listener}})),
      refused_in_flight(refused_requests(registry, listener, "in_flight")),
      refused_waiting(refused_requests(registry, listener, "waiting")),
      refused_bodies_of_prefix(refused_requests(registry, listener, "bodies_of_prefix")),
      refused_bodies_of_address(refused_requests(registry, listener, "bodies_of_address")),
      received_bytes(
          registry.counter("roost_http_received_bytes_total", "Bytes read", {{"listener", listener}})),
      sent_bytes(registry.counter("roost_http_sent_bytes_total", "Bytes written", {{"listener", listener}})),
      responses_500(responses(registry, listener, "500")),
      responses_503(responses(registry, listener, "503")),
      other_responses(responses(registry, listener, "other")) {}

void listener_meter::record(unsigned status) const {
  constexpr unsigned internal_error = 500, unavailable = 503;
  const auto& counted = status == internal_error ? responses_500
                        : status == unavailable  ? responses_503
                                                 : other_responses;
  counted.increment();
}

} // namespace roost::metrics
