#include "http/protocol/server_core.hpp"

#include "log/log.hpp"

#include <boost/core/demangle.hpp>

#include <random>
#include <typeinfo>

namespace roost::http {

request_ids::request_ids() {
  std::random_device source;
  state_ = (static_cast<std::uint64_t>(source()) << 32) | source();
}

std::array<char, 16> request_ids::next() {
  // SplitMix64: a bijection of a counter, so no value repeats within 2^64 and adjacent ones look unrelated.
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  z ^= z >> 31;
  std::array<char, 16> text;
  for (char& digit : text) {
    digit = "0123456789abcdef"[z & 0xf];
    z >>= 4;
  }
  return text;
}

namespace {

/// Returns the documented success statuses of a route; 200 if it is not documented.
std::vector<unsigned> successes_of(const route& route) {
  if (!route.documented) return {200};
  std::vector<unsigned> statuses;
  for (const auto& response : route.documented->responses)
    if (response.status < 400) statuses.push_back(response.status);
  return statuses;
}

std::string_view pattern_of(const server_core& core, std::size_t route) {
  return route == router::npos ? std::string_view("unmatched") : core.router.entries()[route].pattern;
}

std::string type_name(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& exception) {
    return boost::core::demangle(typeid(exception).name());
  } catch (...) {
    return "not a std::exception";
  }
}

/// Whether a 503 needs no attention: probes report it regularly, as does any route while this server is not
/// the writer.
bool is_expected(const server_core& core, std::size_t route, unsigned status) {
  constexpr unsigned unavailable = 503;
  if (status != unavailable || route == router::npos) return false;
  const auto& definition = core.router.entries()[route].definition;
  return definition.is_probe || (definition.holds && !definition.holds());
}

} // namespace

server_core::server_core(http::settings chosen, http::router routes, metrics::registry& registry)
    : settings(std::move(chosen)), router(std::move(routes)), proxies(settings.trusted_proxies),
      meter(registry, settings.name), load(settings, router.prefixes(), meter),
      unmatched_meter(registry, settings.name, "other", "unmatched") {
  if (!settings.tls_certificate.empty() || !settings.tls_key.empty())
    tls = load_tls(settings.tls_certificate, settings.tls_key);
  for (const auto& entry : router.entries())
    route_meters.emplace_back(registry, settings.name, entry.definition.method, entry.pattern,
                              successes_of(entry.definition));
}

void record(server_core& core, const request& req, std::size_t route, unsigned status,
            std::chrono::steady_clock::duration duration) {
  auto& meter = route == router::npos ? core.unmatched_meter : core.route_meters[route];
  meter.record(status, std::chrono::duration<double>(duration).count());

  constexpr unsigned first_refusal = 400;
  const bool reads = req.method == "GET" || req.method == "HEAD";
  const bool notable = (!reads || status >= first_refusal) && !is_expected(core, route, status);
  if (!log::enabled(notable ? log::level::info : log::level::debug)) return;
  const auto write = notable ? log::info : log::debug;
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  write("request", {{"listener", core.settings.name},
                    {"method", req.method},
                    {"route", pattern_of(core, route)},
                    {"status", status},
                    {"us", microseconds},
                    {"request_id", req.request_id},
                    {"remote", req.remote_address}});
}

void record_failure(const server_core& core, const request& req, std::size_t route,
                    const std::exception_ptr& failure) {
  log::error("request_failed", {{"listener", core.settings.name},
                                {"method", req.method},
                                {"route", pattern_of(core, route)},
                                {"exception", type_name(failure)},
                                {"request_id", req.request_id}});
}

} // namespace roost::http
