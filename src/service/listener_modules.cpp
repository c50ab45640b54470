#include "service/listener_modules.hpp"

#include "http/access/access.hpp"
#include "http/documents/openapi.hpp"
#include "http/operations/ops_routes.hpp"
#include "http/partner/partner_api.hpp"
#include "log/log.hpp"
#include "security/secrets.hpp"
#include "service/conversions.hpp"
#include "service/management_module.hpp"
#include "service/office_module.hpp"
#include "store/bookings/submission.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace roost {

namespace {

/// Mounts the routes of a prefix and their document, which standby servers serve, too.
void mount_api(http::router& to, const http::partner_services& services, const http::documented_api& api,
               std::vector<http::route> routes) {
  to.mount("", {http::openapi_route(api, routes)});
  http::respond_as_writer(services.lease, routes);
  to.mount("/" + api.prefix, std::move(routes));
}

/// Mounts the routes of a platform, their documents, and the explorer that shows these.
void mount_platform(http::router& to, const http::platform_api& api) {
  const auto& services = api.services;
  std::vector<http::route> routes;
  for (const auto group : {http::listing_routes, http::listing_quote_routes, http::full_feed_routes,
                           http::booking_routes, http::outcome_routes, http::cancellation_routes,
                           http::change_routes, http::hold_routes, http::engine_routes})
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

http::router routes_of(const std::vector<std::unique_ptr<module>>& features) {
  http::router router;
  for (const auto& feature : features) feature->mount(router);
  return router;
}

constexpr std::size_t max_listed = 20; ///< units, and as many accounts

} // namespace

partner_module::partner_module(service_context& base, const feeds_module& feeds,
                               const bookings_module& bookings, const partner_credentials& credentials) {
  services_.platforms = base.platforms;
  services_.short_term_hosts = base.settings.short_term_hosts;
  services_.directory = &base.directory;
  services_.feeds = feeds.feeds();
  services_.full_feeds = feeds.full_feeds();
  services_.intake = bookings.intake();
  services_.platform_bookings = bookings.platform_bookings();
  services_.outcomes = bookings.outcomes();
  services_.holds = bookings.holds();
  services_.digest_of = [key = &credentials.submission_key()](const domain::booking_request& submission) {
    return security::submission_digest(*key->get(), store::canonical_text(submission));
  };
  services_.reads = base.storage_at(service_context::lane::reads_and_mail);
  services_.decisions = {base.storage_at(service_context::lane::decisions), base.lease};
  services_.booking_engine = bookings.booking_engine();
  services_.lease = base.lease;
  services_.tokens = &credentials.tokens();
  services_.live_keys = &credentials.live_keys();
  services_.now = base.hooks.now;
  services_.new_id = base.new_id();
  services_.base_url = base.settings.server.base_url;
}

void partner_module::mount(http::router& to) const { mount_partner_routes(to, services_); }

void mount_partner_routes(http::router& to, const http::partner_services& services) {
  for (std::size_t i = 0; i < services.platforms->size(); ++i) mount_platform(to, {services, i});
  const auto calendar = http::calendar_api(services.base_url);
  mount_api(to, services, calendar, http::calendar_routes(services));
  to.mount("/" + calendar.prefix, http::explorer_page({calendar}));
  to.mount("", http::explorer_parts());
}

public_module::public_module(service_context& base, const std::vector<std::unique_ptr<module>>& features)
    : base_(base) {
  listener_.emplace(to_public_listener(base.settings), routes_of(features), base.registry,
                    base.runtime->io_contexts());
  port_ = listener_->port();
}

bool public_module::finish(boost::asio::awaitable<bool> ending) {
  auto& io = base_.runtime->io_contexts().front().get();
  return boost::asio::co_spawn(io, std::move(ending), boost::asio::use_future).get();
}

void public_module::finish_writing() {
  const auto timeout = base_.settings.server.drain_timeout;
  drained_by_ = clock::now() + timeout;
  finish(listener_->finish_writes(timeout));
}

void public_module::stop() {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(drained_by_ - clock::now());
  if (!finish(listener_->drain(std::max(left, std::chrono::milliseconds::zero()))))
    log::warn("drain_incomplete");
  listener_.reset();
}

operations_module::operations_module(service_context& base) {
  listener_.emplace(to_ops_listener(base.settings),
                    http::make_ops_router(
                        base.registry, base.readiness,
                        [hot_units = base.hot_units] { return to_json(hot_units->busiest(max_listed)); },
                        base.settings.ops.hosts),
                    base.registry, base.runtime->io_contexts());
}

std::vector<listed_route> list_routes(const config::settings& settings) {
  http::partner_services partners;
  partners.platforms = std::make_shared<const std::vector<domain::platform>>(settings.platforms);
  partners.short_term_hosts = settings.short_term_hosts;
  http::management_services management;
  management.base_url = settings.server.base_url;
  http::connector_services connector;
  connector.management = &management;
  http::router all;
  mount_partner_routes(all, partners);
  mount_management_routes(all, management);
  http::office_services office;
  office.management = &management;
  mount_office_routes(all, office);
  mount_connector_routes(all, connector);
  std::vector<listed_route> listed;
  for (const auto& each : all.entries())
    listed.push_back({each.definition.method, each.pattern, each.definition.entry.needs});
  std::ranges::sort(listed, {}, [](const listed_route& each) { return std::tie(each.path, each.method); });
  return listed;
}

} // namespace roost
