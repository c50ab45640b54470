#include "service/expiries.hpp"

#include "log/log.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace roost {

namespace {

double seconds_of(std::chrono::sys_time<std::chrono::milliseconds> moment) {
  return std::chrono::duration<double>(moment.time_since_epoch()).count();
}

std::int64_t whole_days(std::chrono::milliseconds time) {
  return std::chrono::floor<std::chrono::days>(time).count();
}

} // namespace

expiries::expiries(metrics::registry& registry, const std::vector<domain::platform>& platforms,
                   const partner_credentials& credentials, actors::wall_clock now)
    : registry_(registry), credentials_(credentials), now_(std::move(now)) {
  for (const auto& platform : platforms)
    token_ends_.emplace(
        platform.name,
        registry.gauge("roost_partner_token_expiration_timestamp_seconds",
                       "When the first of the platform's tokens ends, or the last one has ended; "
                       "+Inf: it has none",
                       {{"platform", platform.name}}));
  registry.on_scrape([this] { measure(); });
}

const token_expiry* decisive_token(const std::vector<token_expiry>& ends, const std::string& platform,
                                   domain::timestamp now) {
  const token_expiry* found = nullptr;
  for (const auto& each : ends) {
    if (each.platform != platform) continue;
    const bool is_over = each.at <= now;
    const bool is_better =
        !found || (found->at <= now ? each.at > found->at : !is_over && each.at < found->at);
    if (is_better) found = &each;
  }
  return found;
}

void expiries::measure() {
  const auto now = now_();
  const auto ends = credentials_.token_expiries().get();
  for (const auto& [platform, gauge] : token_ends_) {
    const auto* const token = ends ? decisive_token(*ends, platform, now) : nullptr;
    gauge.set(token ? seconds_of(token->at) : std::numeric_limits<double>::infinity());
  }
}

void expiries::apply(http::certificate_facts certificate) {
  log::info("certificate_loaded", {{"file", certificate.file},
                                   {"names", certificate.names},
                                   {"until", domain::to_string(certificate.until)},
                                   {"sha256", certificate.sha256}});
  registry_
      .gauge("roost_certificate_expiration_timestamp_seconds",
             "When the first certificate of the public listener's chain ends")
      .set(seconds_of(certificate.until));
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
  else if (until - now < soon)
    log::warn("certificate_expires",
              {{"file", file}, {"until", domain::to_string(until)}, {"days", whole_days(until - now)}});
  if (from > now) log::warn("certificate_not_valid_yet", {{"file", file}, {"from", domain::to_string(from)}});
}

void expiries::warn_of_tokens(domain::timestamp now, bool again) {
  const auto ends = credentials_.token_expiries().get();
  if (!ends) return;
  for (const auto& each : *ends) {
    if (each.at <= now || each.at - now >= soon || !token_ends_.contains(each.platform)) continue;
    if (!told_.insert(each.id).second && !again) continue;
    log::warn("token_expires", {{"platform", each.platform},
                                {"token", domain::to_string(each.id)},
                                {"label", each.label},
                                {"until", domain::to_string(each.at)},
                                {"days", whole_days(each.at - now)}});
  }
  for (const auto& [platform, gauge] : token_ends_) {
    const auto* const token = decisive_token(*ends, platform, now);
    if (!token || token->at > now || (!told_over_.insert(token->id).second && !again)) continue;
    log::error("token_expired", {{"platform", platform},
                                 {"token", domain::to_string(token->id)},
                                 {"label", token->label},
                                 {"until", domain::to_string(token->at)}});
  }
}

} // namespace roost
