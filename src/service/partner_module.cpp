#include "service/partner_module.hpp"

#include "http/access/access.hpp"
#include "http/documents/explorer.hpp"
#include "http/documents/openapi.hpp"
#include "http/partner/partner_document.hpp"
#include "http/partner/partner_routes.hpp"

#include <algorithm>
#include <iterator>

namespace roost {

namespace {

http::partner_services services_of(const service_context& base, const partner_features& features) {
  http::partner_services services;
  services.platforms = base.platforms;
  services.short_term_hosts = base.settings.short_term_hosts;
  services.directory = &base.directory;
  services.feeds = features.feeds.feeds();
  services.full_feeds = features.feeds.full_feeds();
  services.intake = features.bookings.intake();
  services.platform_bookings = features.bookings.platform_bookings();
  services.reads = base.storage_at(service_context::lane::reads_and_mail);
  services.booking_engine = features.engine.booking_engine();
  services.lease = base.lease;
  services.tokens = &features.credentials.tokens();
  services.live_keys = &features.credentials.live_keys();
  services.now = base.hooks.now;
  services.new_id = base.new_id();
  services.base_url = base.settings.server.base_url;
  return services;
}

/// Mounts the routes of a prefix and their document, which standby servers serve, too.
void mount_api(http::router& to, const http::partner_services& services, const http::documented_api& api,
               std::vector<http::route> routes) {
  to.mount("", {http::openapi_route(api, routes)});
  http::answer_as_writer(services.lease, routes);
  to.mount("/" + api.prefix, std::move(routes));
}

/// Mounts the routes of a platform, their documents, and the explorer that shows these.
void mount_platform(http::router& to, const http::platform_api& api) {
  const auto& services = api.services;
  std::vector<http::route> routes;
  for (const auto group :
       {http::listing_routes, http::full_feed_routes, http::booking_routes, http::engine_routes})
    std::ranges::move(group(api), std::back_inserter(routes));
  auto webhook = http::webhook_routes(api);
  std::vector<http::documented_api> documents{http::partner_document(api.platform, services.base_url)};
  if (http::has_webhook_document(api.platform)) {
    documents.push_back(http::webhook_document(api.platform, services.base_url));
    mount_api(to, services, documents.back(), std::move(webhook));
  } else {
    std::ranges::move(webhook, std::back_inserter(routes));
  }
  mount_api(to, services, documents.front(), std::move(routes));
  to.mount("/" + api.platform.prefix, http::explorer_page(documents));
}

} // namespace

partner_module::partner_module(service_context& base, const partner_features& features)
    : services_(services_of(base, features)) {}

void partner_module::mount(http::router& to) const { mount_partner_routes(to, services_); }

void mount_partner_routes(http::router& to, const http::partner_services& services) {
  for (std::size_t i = 0; i < services.platforms->size(); ++i) mount_platform(to, {services, i});
  const auto calendar = http::calendar_api(services.base_url);
  mount_api(to, services, calendar, http::calendar_routes(services));
  to.mount("/" + calendar.prefix, http::explorer_page({calendar}));
  to.mount("", http::explorer_parts());
}

} // namespace roost
