#include "service/expiries.hpp"

#include "log/log.hpp"

#include <limits>
#include <utility>

namespace roost {

namespace {

double unix_seconds(std::chrono::sys_time<std::chrono::milliseconds> time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::int64_t whole_days(std::chrono::milliseconds time) {
  return std::chrono::floor<std::chrono::days>(time).count();
}

} // namespace

expiries::expiries(metrics::registry& registry, const std::vector<domain::platform>& platforms,
                   const partner_credentials& credentials, actors::wall_clock now)
    : registry_(registry), credentials_(credentials), now_(std::move(now)) {
  for (const auto& platform : platforms)
    gauges_.emplace(
        platform.name,
        registry.gauge("roost_partner_token_expiration_timestamp_seconds",
                       "When the first live token of the platform expires, or when the last one expired; "
                       "+Inf: no token",
                       {{"platform", platform.name}}));
  registry.on_scrape([this] { measure(); });
}

const token_expiry* decisive_token(const std::vector<token_expiry>& tokens, const std::string& platform,
                                   domain::timestamp now) {
  const token_expiry* best = nullptr;
  for (const auto& token : tokens) {
    if (token.platform != platform) continue;
    const bool is_expired = token.at <= now;
    const bool is_better =
        !best || (best->at <= now ? token.at > best->at : !is_expired && token.at < best->at);
    if (is_better) best = &token;
  }
  return best;
}

void expiries::measure() {
  const auto now = now_();
  const auto tokens = credentials_.token_expiries().get();
  for (const auto& [platform, gauge] : gauges_) {
    const auto* const token = tokens ? decisive_token(*tokens, platform, now) : nullptr;
    gauge.set(token ? unix_seconds(token->at) : std::numeric_limits<double>::infinity());
  }
}

void expiries::apply(http::certificate_facts certificate) {
  log::info("certificate_loaded", {{"file", certificate.file},
                                   {"names", certificate.names},
                                   {"until", domain::to_string(certificate.until)},
                                   {"sha256", certificate.sha256}});
  registry_
      .gauge("roost_certificate_expiration_timestamp_seconds",
             "When the first certificate of the public listener's chain expires")
      .set(unix_seconds(certificate.until));
  const std::lock_guard guard(mutex_);
  certificate_ = std::move(certificate);
}

void expiries::note_tokens() {
  const std::lock_guard guard(mutex_);
  warn_of_tokens(now_(), false);
}

void expiries::warn() {
  const auto now = now_();
  const std::lock_guard guard(mutex_);
  warn_of_certificate(now);
  warn_of_tokens(now, true);
}

void expiries::warn_of_certificate(domain::timestamp now) const {
  if (!certificate_) return;
  const auto& [file, names, sha256, from, until] = *certificate_;
  if (until <= now)
    log::error("certificate_expired", {{"file", file}, {"until", domain::to_string(until)}});
  else if (until - now < warning_period)
    log::warn("certificate_expires",
              {{"file", file}, {"until", domain::to_string(until)}, {"days", whole_days(until - now)}});
  if (from > now) log::warn("certificate_not_valid_yet", {{"file", file}, {"from", domain::to_string(from)}});
}

void expiries::warn_of_tokens(domain::timestamp now, bool repeat) {
  const auto tokens = credentials_.token_expiries().get();
  if (!tokens) return;
  for (const auto& each : *tokens) {
    if (each.at <= now || each.at - now >= warning_period || !gauges_.contains(each.platform)) continue;
    if (!warned_expiring_.insert(each.id).second && !repeat) continue;
    log::warn("token_expires", {{"platform", each.platform},
                                {"token", domain::to_string(each.id)},
                                {"label", each.label},
                                {"until", domain::to_string(each.at)},
                                {"days", whole_days(each.at - now)}});
  }
  for (const auto& [platform, gauge] : gauges_) {
    const auto* const token = decisive_token(*tokens, platform, now);
    if (!token || token->at > now || (!warned_expired_.insert(token->id).second && !repeat)) continue;
    log::error("token_expired", {{"platform", platform},
                                 {"token", domain::to_string(token->id)},
                                 {"label", token->label},
                                 {"until", domain::to_string(token->at)}});
  }
}

} // namespace roost
