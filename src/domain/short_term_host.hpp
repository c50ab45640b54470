#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// A short-term rental host. Calendars omit its own blocks for it (Partner API, Calendar export).
struct short_term_host {
  std::string name;
  std::vector<std::string> match; ///< its domains, including subdomains
  /// Products of its User-Agents, without versions; compared ignoring letter case.
  std::vector<std::string> agents = {};
};

/// The header fields by which a consumer identifies itself; empty if missing.
struct consumer {
  std::string_view origin, referer, user_agent;
};

/// Returns the name of the host that a consumer belongs to, or an empty text. The first field with a value
/// decides: Origin, then Referer, then User-Agent. In the first two, the URL's host must be within one of the
/// domains; in User-Agent, a product, an email address or a URL must be, or a product must be one of the
/// host's agents.
std::string_view recognized_host(const std::vector<short_term_host>& hosts, const consumer& reader);

} // namespace roost::domain
