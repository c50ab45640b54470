#pragma once

#include "domain/platform.hpp"
#include "http/partner/partner_access.hpp"
#include "http/partner/partner_services.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace roost::http {

/// The context of one platform's route handlers. It refers to the services, which must outlive it; copying is
/// cheap.
struct platform_api {
  platform_api(const partner_services& all, std::size_t platform_index)
      : services(all), index(platform_index), platform((*all.platforms)[platform_index]) {}

  const domain::platform_traits& traits() const { return domain::traits_of(platform); }
  std::shared_ptr<const actors::directory> directory() const { return require_directory(services); }
  const actors::platform_feed& feed() const { return services.feeds[index]; }
  const actors::full_feed& full_feed() const { return services.full_feeds[index]; }
  entry_rule checks() const { return partner_checks(services, platform); }

  /// Returns checks() with one more check at the end.
  entry_rule checks_and(check more, std::string_view needs) const {
    auto all = checks();
    all.checks.push_back(std::move(more));
    all.needs.append(" and ").append(needs);
    return all;
  }

  const partner_services& services;
  std::size_t index; ///< of the platform, as the directory and the feeds count them
  const domain::platform& platform;
};

} // namespace roost::http
