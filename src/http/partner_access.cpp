#include "http/partner_access.hpp"

#include "security/key.hpp"

namespace roost::http {

namespace {

constexpr std::string_view bearer = "Bearer ";

void require_configured(const partner_services& services, const domain::platform& platform) {
  if (platform.kind != domain::platform_kind::single_landlord) return;
  if (platform.account && require_directory(services)->find_account(*platform.account)) return;
  throw service_unavailable("This integration is not configured yet. Contact support.");
}

/// Marketplace A's own header, under either name (Partner API, Authentication 3).
bool has_webhook_key(const partner_services& services, const request& request) {
  const auto hashes = services.webhook_key_hashes->get();
  if (!hashes) return false;
  for (const auto name : {"x-api-key", "x-api_key"}) {
    const auto presented = request.header(name);
    if (presented.empty() || request.count(name) != 1) continue;
    for (const auto& hash : *hashes)
      if (security::key_matches(presented, hash)) return true;
  }
  return false;
}

/// Partner API, Authentication 2.
std::string_view token_of(const request& request) {
  if (request.count("authorization") == 0) throw unauthorized("Missing integration credentials");
  if (request.count("authorization") > 1) throw unauthorized("Unauthorized");
  const auto credentials = request.header("authorization");
  if (!credentials.starts_with(bearer) || credentials.size() == bearer.size() ||
      credentials[bearer.size()] == ' ')
    throw unauthorized("Invalid integration credentials");
  return credentials.substr(bearer.size());
}

void authenticate(const partner_services& services, const domain::platform& platform,
                  const request& request) {
  if (platform.kind == domain::platform_kind::marketplace_a && has_webhook_key(services, request)) return;
  if (!services.tokens->accepts(token_of(request), platform.name, services.now()))
    throw unauthorized("Unauthorized");
}

} // namespace

std::shared_ptr<const actors::directory> require_directory(const partner_services& services) {
  auto directory = services.directory->get();
  if (!directory || !services.writer->holds()) throw busy();
  return directory;
}

std::vector<check> partner_checks(const partner_services& services, std::size_t platform) {
  const auto& on = (*services.platforms)[platform];
  return {
      [&services](request&) { require_directory(services); },
      [&services, &on](request&) { require_configured(services, on); },
      [&services, &on](request& request) { authenticate(services, on, request); },
  };
}

} // namespace roost::http
