#include "http/access/access.hpp"

#include <string>

namespace roost::http {

namespace {

constexpr std::string_view scheme = "Bearer ";

error refused(std::string_view message) { return unauthorized(std::string(message)); }

} // namespace

std::string_view bearer_token(const request& req, const bearer_messages& messages) {
  if (req.count("authorization") == 0) throw refused(messages.missing);
  if (req.count("authorization") > 1) throw refused(messages.repeated);
  const auto credentials = req.header("authorization");
  if (credentials == scheme || credentials == scheme.substr(0, scheme.size() - 1))
    throw refused(messages.empty);
  if (!credentials.starts_with(scheme) || credentials[scheme.size()] == ' ')
    throw refused(messages.malformed);
  return credentials.substr(scheme.size());
}

std::optional<security::live_key> find_key(const published_keys& keys, security::key_kind kind,
                                           std::string_view presented, domain::timestamp now) {
  const auto live = keys.get();
  const auto* key = live ? live->find(kind, presented) : nullptr;
  if (!key) return std::nullopt;
  key->use->note(now);
  return *key;
}

security::live_key require_bearer_key(const published_keys& keys, security::key_kind kind, const request& req,
                                      domain::timestamp now) {
  constexpr std::string_view message = "Unauthorized";
  auto key = find_key(keys, kind, bearer_token(req, {message, message, message, message}), now);
  if (!key) throw refused(message);
  return *std::move(key);
}

void answer_as_writer(const std::shared_ptr<const actors::held_lease>& lease, std::vector<route>& routes) {
  for (auto& each : routes) each.holds = [lease] { return lease->holds(); };
}

} // namespace roost::http
