#include "service/office_module.hpp"

#include "http/documents/openapi.hpp"

namespace roost {

namespace {

http::documented_api office_document(const std::string& base_url) {
  return {.name = "office",
          .title = "Roost: the office",
          .description = "What a landlord's staff does. Sign in with the routes of the management document, "
                         "then paste the token of the session.",
          .token_help = "The access token of a session",
          .server_url = base_url,
          .parameters = {{"unitId", "The unit's UUID"}, {"blockId", "The block's UUID"}},
          .schemas = [](json::schemas& to) {
            http::add_office_schemas(to);
            http::add_block_schemas(to);
          }};
}

} // namespace

office_module::office_module(service_context& base, const portfolio_module& portfolio,
                             const management_module& management) {
  const auto& storage = base.storage_at(service_context::side_lane::office);
  services_.management = &management.services();
  services_.storage = storage;
  services_.new_id = base.new_id();
  actors::office_writer_setup setup;
  setup.storage = storage;
  setup.reading = base.storage_at(service_context::lane::reads_and_mail);
  setup.lease = base.lease;
  setup.follower = portfolio.follower();
  setup.followed = base.followed;
  setup.directory = &base.directory;
  setup.new_id = base.new_id();
  services_.writer = actors::spawn_office_writer(*base.runtime, std::move(setup));
}

void office_module::mount(http::router& to) const { mount_office_routes(to, services_); }

void office_module::finish_writing() { send_exit(services_.writer); }

void mount_office_routes(http::router& to, const http::office_services& services) {
  auto routes = http::block_routes(services);
  const auto document = office_document(services.management->base_url);
  to.mount("", {http::openapi_route(document, routes)});
  to.mount("/office", http::explorer_page({document}));
  to.mount("", std::move(routes));
}

} // namespace roost
