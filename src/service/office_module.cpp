#include "service/office_module.hpp"

#include "http/bookings/bookings_api.hpp"
#include "http/documents/openapi.hpp"
#include "http/partner/partner_api.hpp"
#include "http/stays/stays_api.hpp"
#include "mail/calendar_notices.hpp"

#include <algorithm>
#include <iterator>
#include <random>

namespace roost {

namespace {

http::documented_api office_document(const std::string& base_url) {
  return {.name = "office",
          .title = "Roost: the office",
          .description = "What a landlord's staff does. Sign in with the routes of the management document, "
                         "then paste the token of the session.",
          .token_help = "The access token of a session",
          .server_url = base_url,
          .parameters = {{"unitId", "The unit's UUID"},
                         {"blockId", "The block's UUID"},
                         {"calendarId", "The calendar's UUID"},
                         {"bookingId", "The booking's UUID"},
                         {"propertyId", "The property's UUID"},
                         {"userId", "The user's UUID"},
                         {"keyId", "The key's UUID"},
                         {"tenantId", "The tenant's UUID"},
                         {"paymentId", "The payment's UUID"},
                         {"platform", "The platform's name in the configuration"}},
          .schemas = [](json::schemas& to) {
            for (const auto add : {http::add_office_schemas,
                                   http::add_account_schemas,
                                   http::add_platform_schemas,
                                   http::add_ai_schemas,
                                   http::add_user_schemas,
                                   http::add_me_schemas,
                                   http::add_property_schemas,
                                   http::add_unit_schemas,
                                   http::add_unit_import_schemas,
                                   http::add_unit_part_schemas,
                                   http::add_preview_schemas,
                                   http::add_block_schemas,
                                   http::add_imported_calendar_schemas,
                                   http::add_calendar_window_schemas,
                                   http::add_office_booking_schemas,
                                   http::add_quote_schemas,
                                   http::add_key_schemas,
                                   http::add_history_schemas,
                                   http::add_notification_schemas,
                                   http::add_request_schemas,
                                   http::add_tenant_schemas,
                                   http::add_payment_schemas})
              add(to);
          }};
}

actors::calendar_keeper spawn_calendar_keeper(service_context& base, const actors::office_writer& writer) {
  const auto& configured = base.settings.calendars;
  const fetch::fetch_limits limits{.time = std::chrono::seconds{10},
                                   .bytes = std::size_t{4} << 20U,
                                   .trusted_certificates = configured.ca_file.string(),
                                   .private_addresses = configured.allow_private,
                                   .max_redirects = 5};
  const auto fetch = [limits](const std::string& url, const fetch::validators& known) {
    return fetch::https_get(url, limits, known);
  };
  actors::calendar_keeper_setup setup;
  setup.storage = base.storage_at(service_context::side_lane::office);
  setup.lease = base.lease;
  setup.writer = writer;
  setup.spawn_reader = [runtime = &*base.runtime, fetch] {
    return actors::spawn_calendar_reader(*runtime, fetch);
  };
  setup.now = base.hooks.now;
  const auto now = base.hooks.now;
  const auto id = base.new_id();
  setup.notices = {[=](const store::calendar_conflict& each) {
                     return mail::calendar_conflict_notice(id(), now(), each.account_id,
                                                           {each.calendar_name, each.unit_name}, each.nights);
                   },
                   [=](const store::failing_calendar& each) {
                     return mail::failing_calendar_notice(id(), now(), each.account_id,
                                                          {each.calendar_name, each.unit_name}, each.problem);
                   }};
  setup.registry = &base.registry;
  setup.is_on_hold = base.hooks.on_hold;
  setup.every = configured.every;
  setup.chance = [engine = std::minstd_rand{}]() mutable {
    return std::uniform_real_distribution<>(0, 1)(engine);
  };
  return actors::spawn_calendar_keeper(*base.runtime, std::move(setup));
}

} // namespace

office_module::office_module(service_context& base, const feeds_module& feeds,
                             const bookings_module& bookings, const management_module& management) {
  const auto& storage = base.storage_at(service_context::side_lane::office);
  services_.management = &management.services();
  services_.storage = storage;
  services_.new_id = base.new_id();
  services_.writer = bookings.office_writer();
  services_.calendars = spawn_calendar_keeper(base, services_.writer);
  services_.followed = base.followed;
  services_.directory = &base.directory;
  services_.calendar_url = [base_url = services_.management->base_url](const domain::uuid& address) {
    return http::calendar_url(base_url, address);
  };
  for (const auto& feed : feeds.feeds()) services_.lists.push_back(feed.snapshot.get());
  services_.tool_server = base.settings.connector.tool_server;
  services_.configured.platforms = *base.platforms;
  for (const auto& [role, permissions] : base.settings.roles) services_.configured.roles.push_back(role);
  for (const auto& host : base.settings.short_term_hosts)
    services_.configured.short_term_hosts.push_back(host.name);
  services_.events = actors::spawn_office_events(*base.runtime, {storage, base.lease, base.followed});
  base.registry.on_scrape([streams = services_.event_streams,
                           open = base.registry.gauge("roost_office_event_streams",
                                                      "Open event streams of the office")]() mutable {
    open.set(static_cast<double>(streams->size()));
  });
}

void office_module::mount(http::router& to) const { mount_office_routes(to, services_); }

void office_module::finish_writing() {
  send_exit(services_.calendars);
  caf::anon_send(services_.events, actors::end_events{}); // the listener waits for the end of the streams
}

void office_module::stop() { send_exit(services_.events); }

void mount_office_routes(http::router& to, const http::office_services& services) {
  std::vector<http::route> routes;
  for (const auto group : {http::account_routes,
                           http::platform_routes,
                           http::ai_routes,
                           http::user_routes,
                           http::me_routes,
                           http::property_routes,
                           http::unit_routes,
                           http::unit_import_routes,
                           http::unit_part_routes,
                           http::preview_routes,
                           http::block_routes,
                           http::imported_calendar_routes,
                           http::calendar_window_routes,
                           http::office_booking_routes,
                           http::quote_routes,
                           http::key_routes,
                           http::history_routes,
                           http::event_routes,
                           http::notification_routes,
                           http::request_routes,
                           http::tenant_routes,
                           http::payment_routes})
    std::ranges::move(group(services), std::back_inserter(routes));
  const auto document = office_document(services.management->base_url);
  to.mount("", {http::openapi_route(document, routes)});
  to.mount("/office", http::explorer_page({document}));
  to.mount("", std::move(routes));
}

} // namespace roost
