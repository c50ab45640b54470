#include "config/reader.hpp"
#include "domain/platform.hpp"

namespace roost::config {

namespace {

/// Adds a problem of a key at the origin of its value.
void report(const std::string& key, std::string text, const origins& origins, findings& findings) {
  const auto origin = origins.keys.find(key);
  findings.add(origin == origins.keys.end() ? "default" : origin->second, key, std::move(text));
}

/// A setting that requires the others of its group.
struct group_member {
  std::string key;
  bool is_set;
};

void check_all_or_none(const std::vector<group_member>& group, const origins& origins, findings& findings) {
  for (const auto& member : group)
    if (findings.concern(member.key)) return;
  for (const auto& member : group)
    for (const auto& other : group)
      if (member.is_set && !other.is_set)
        report(member.key, "needs " + other.key + " as well", origins, findings);
}

void check_server(const settings& settings, const origins& origins, findings& findings) {
  check_all_or_none({{"server.tls_certificate", !settings.server.tls_certificate.empty()},
                     {"server.tls_key", !settings.server.tls_key.empty()}},
                    origins, findings);
  const bool readable = !findings.concern("server.listen") && !findings.concern("ops.listen");
  if (readable && settings.ops.listen.port != 0 && settings.ops.listen == settings.server.listen)
    report("ops.listen", "must differ from the public listener, " + to_string(settings.server.listen),
           origins, findings);
}

void check_sign_in(const settings& settings, const origins& origins, findings& findings) {
  check_all_or_none({{"sessions.identity_jwks", !settings.sessions.identity_jwks.empty()},
                     {"sessions.identity_issuer", !settings.sessions.identity_issuer.empty()},
                     {"sessions.identity_audience", !settings.sessions.identity_audience.empty()}},
                    origins, findings);
  constexpr std::uint32_t min_kib_per_lane = 8; // RFC 9106, 3.1
  const bool readable =
      !findings.concern("sessions.password_memory") && !findings.concern("sessions.password_lanes");
  const auto required = min_kib_per_lane * settings.sessions.password_lanes;
  if (readable && settings.sessions.password_memory < required)
    report("sessions.password_memory",
           "must be at least " + std::to_string(required) + " for this many sessions.password_lanes", origins,
           findings);
}

/// Reports every value that an earlier entry of the list has, too.
template <class Entry>
void check_unique(const std::vector<Entry>& entries, std::string Entry::*member, std::string_view section,
                  std::string_view key, const std::vector<std::string>& origins, findings& findings) {
  std::map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string& value = entries[i].*member;
    if (value.empty()) continue;
    const auto [earlier, is_new] = first.emplace(value, i);
    if (is_new) continue;
    const auto name = std::string(section) + '[' + std::to_string(i) + "]." + std::string(key);
    findings.add(origins[i], name, in_quotes(value) + " is already used at " + origins[earlier->second]);
  }
}

/// Returns why this prefix collides with the documents of another platform; empty if it does not. A
/// platform's OpenAPI document is at `<prefix>-json`, that of marketplace B's webhook at
/// `<prefix>-webhook-json` (Partner API, Explorer).
std::string document_collision(const std::string& prefix, const domain::platform& other) {
  const bool has_webhook = domain::traits_of(other).webhook == domain::marketplace::b;
  if (prefix == other.prefix + "-json" || (has_webhook && prefix == other.prefix + "-webhook-json"))
    return " is the path of an OpenAPI document of " + other.name;
  if (has_webhook && prefix == other.prefix + "-webhook")
    return " would put its OpenAPI document at the path of the webhook document of " + other.name;
  return "";
}

void check_document_paths(const std::vector<domain::platform>& platforms, const origins& origins,
                          findings& findings) {
  for (std::size_t i = 0; i < platforms.size(); ++i)
    for (const auto& other : platforms) {
      if (other.prefix.empty()) continue;
      const auto collision = document_collision(platforms[i].prefix, other);
      if (!collision.empty())
        findings.add(origins.platforms[i], "platforms[" + std::to_string(i) + "].prefix",
                     in_quotes(platforms[i].prefix) + collision);
    }
}

void check_platforms(const std::vector<domain::platform>& platforms, const origins& origins,
                     findings& findings) {
  check_unique(platforms, &domain::platform::name, "platforms", "name", origins.platforms, findings);
  check_unique(platforms, &domain::platform::prefix, "platforms", "prefix", origins.platforms, findings);
  check_document_paths(platforms, origins, findings);
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    const auto name = "platforms[" + std::to_string(i) + ']';
    if (findings.concern(name + ".kind")) continue;
    if (platforms[i].account && !domain::traits_of(platforms[i]).is_single_landlord)
      findings.add(origins.platforms[i], name + ".account", "is only allowed for the kind single-landlord");
    if (!platforms[i].regions.empty() && !domain::traits_of(platforms[i]).accepts_some_regions)
      findings.add(origins.platforms[i], name + ".regions", "is only allowed for the kind marketplace-d");
    if (platforms[i].regions.empty() && domain::traits_of(platforms[i]).accepts_some_regions &&
        !findings.concern(name + ".regions"))
      findings.add(origins.platforms[i], name + ".regions",
                   "is missing, so nothing would be published; name the cities it accepts, for example "
                   "[\"Madrid\"]");
  }
}

} // namespace

void check_together(const settings& settings, const origins& origins, findings& findings) {
  check_server(settings, origins, findings);
  check_sign_in(settings, origins, findings);
  check_platforms(settings.platforms, origins, findings);
  check_unique(settings.short_term_hosts, &domain::short_term_host::name, "short_term_hosts", "name",
               origins.short_term_hosts, findings);
}

} // namespace roost::config
