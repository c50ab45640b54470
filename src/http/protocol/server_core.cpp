#include "http/protocol/server_core.hpp"

#include "actors/runtime/storage.hpp"
#include "bytes/ascii.hpp"
#include "log/log.hpp"

#include <boost/core/demangle.hpp>

#include <array>
#include <random>
#include <span>
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

constexpr std::string_view json_type = "application/json";
constexpr std::string_view form_type = "application/x-www-form-urlencoded";
constexpr std::string_view calendar_type = "text/calendar";

bool is_accepted(body_policy policy, std::string_view type) {
  if (policy == body_policy::csv) return ascii::equal_ignoring_case(type, "text/csv");
  return ascii::equal_ignoring_case(type, json_type) ||
         (policy == body_policy::form && ascii::equal_ignoring_case(type, form_type)) ||
         (policy == body_policy::calendar && ascii::equal_ignoring_case(type, calendar_type));
}

void check_content_type(body_policy policy, const head& head, const request& req) {
  if (policy == body_policy::none) return;
  const auto fields = req.count("Content-Type");
  if (fields == 0 ? head.body != framing::none : fields > 1 || !is_accepted(policy, req.media_type()))
    throw unsupported_media_type();
  for (const auto coding : req.all("Content-Encoding"))
    if (!ascii::equal_ignoring_case(coding, "identity")) throw unsupported_media_type();
}

/// Returns the statuses of a route that an alert watches by route: RoostPartnerTurnedAway watches 401. Routes
/// with a tag are extensions, which take the token of their prefix's other routes: those show that it is
/// refused, and each counter is a line of every scrape.
std::span<const unsigned> watched_statuses(const route& route) {
  static constexpr std::array<unsigned, 1> of_partners{401};
  const bool is_extension = route.documented != nullptr && !route.documented->tag.empty();
  if (!route.entry.of_partners || is_extension) return {};
  return of_partners;
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

/// Whether a response is a 503 that needs no attention: of a probe, or because this server is not the writer.
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
                              watched_statuses(entry.definition));
}

void admit(const server_core& core, const head& head, request& req, std::size_t& index) {
  index = core.router.find(req.method, req.path, req.parameters);
  if (index == router::npos)
    throw not_found("Cannot " + std::string(req.method) + " " + std::string(req.target));
  const auto& [route, pattern, prefix] = core.router.entries()[index];
  req.prefix = prefix;
  for (const auto& check : route.entry.checks) check(req);
  check_content_type(route.body, head, req);
  if (head.body == framing::length && head.content_length > max_body(core, index)) throw payload_too_large();
}

std::size_t max_body(const server_core& core, std::size_t route) {
  const auto limit = core.router.entries()[route].definition.max_body;
  return limit == 0 ? core.settings.max_body : limit;
}

bool only_reads(const route& route) { return route.method == "GET"; }

bool still_holds(const route& route, const response& response) {
  constexpr unsigned first_refusal = 400, first_failure = 500;
  if (!route.holds || response.status >= first_failure) return true;
  return (response.status < first_refusal && !only_reads(route)) || route.holds();
}

error refusal_of(const actors::ask_error& failed) {
  const bool is_invalid = actors::storage_error_of(failed.reason()) == actors::storage_error::invalid_value;
  return is_invalid ? invalid_value() : busy();
}

void check_body(body_policy policy, const request& req) {
  if (policy != body_policy::none && req.body.empty() &&
      ascii::equal_ignoring_case(req.media_type(), json_type))
    throw bad_request("Body cannot be empty when content-type is set to 'application/json'");
}

void record(server_core& core, const request& req, std::size_t route, unsigned status,
            std::chrono::steady_clock::duration duration) {
  auto& meter = route == router::npos ? core.unmatched_meter : core.route_meters[route];
  meter.record(status, std::chrono::duration<double>(duration - req.waited).count());
  core.meter.record(status);

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
