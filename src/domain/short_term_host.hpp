#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// A short-term rental host that reads calendars and gets none of its own blocks back (Partner API, Calendar
/// export).
struct short_term_host {
  std::string name;
  std::vector<std::string> match; ///< its domains; subdomains count
  std::vector<std::string> agents =
      {}; ///< products of its User-Agents, without a version; in any letter case
};

/// What a consumer says about itself: the values of its header fields, empty where there is none.
struct consumer {
  std::string_view origin, referer, user_agent;
};

/// The name of the host that a consumer is, or empty. The first field that has a value decides: Origin, else
/// Referer, else User-Agent. In the first two the URL's host must be one of the domains or below one; in
/// User-Agent a product, an address or a URL must name it, or a product be one of the host's agents.
std::string_view recognised_host(const std::vector<short_term_host>& hosts, const consumer& who);

} // namespace roost::domain
