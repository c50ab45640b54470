#include "http/protocol/server_core.hpp"

#include <random>

namespace roost::http {

request_ids::request_ids() {
  std::random_device source;
  state_ = (static_cast<std::uint64_t>(source()) << 32) | source();
}

std::array<char, 16> request_ids::next() {
  // SplitMix64: a bijection of a counter, so no value comes twice in 2^64 and neighbours look nothing alike.
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

/// What its documentation tells; a route without one answers 200.
std::vector<unsigned> successes_of(const route& each) {
  if (!each.documented) return {200};
  std::vector<unsigned> statuses;
  for (const auto& answer : each.documented->answers)
    if (answer.status < 400) statuses.push_back(answer.status);
  return statuses;
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

} // namespace roost::http
