#include "service/connector_module.hpp"

#include "http/connector/consent_pages.hpp"
#include "http/connector/introspection_routes.hpp"
#include "http/connector/metadata_routes.hpp"
#include "http/connector/registration_routes.hpp"
#include "http/connector/token_routes.hpp"
#include "service/actor_ends.hpp"
#include "service/conversions.hpp"

namespace roost {

connector_module::connector_module(service_context& base, const connector_features& features) {
  const auto& connector = base.settings.connector;
  services_.management = &features.management.services();
  services_.keeper = features.management.connector_keeper();
  services_.tokens = &features.access.connector_tokens();
  services_.redirects = domain::redirect_policy(connector.callbacks, connector.prefixes);
  services_.tool_server = connector.tool_server;
  services_.limits = to_connector_limits(base.settings.rate_limits);
  services_.consent_form = connector.consent_form;
  services_.access_token = base.settings.sessions.access_token;
  if (!connector.client_documents.empty()) spawn_client_documents(base);
}

void connector_module::spawn_client_documents(service_context& base) {
  const auto& connector = base.settings.connector;
  auto limits = actors::client_document_limits();
  limits.trusted_certificates = connector.client_documents_ca.string();
  limits.private_addresses = connector.client_documents_anywhere;
  actors::client_documents_setup setup;
  services_.document_policy = {connector.client_documents, services_.redirects};
  setup.policy = services_.document_policy;
  setup.fetch = [limits](const std::string& url) { return fetch::https_get(url, limits); };
  setup.registry = &base.registry;
  services_.documents = actors::spawn_client_documents(*base.runtime, std::move(setup));
}

void connector_module::finish_writing() { tell_to_exit(services_.documents); }

void connector_module::mount(http::router& to) const { mount_connector_routes(to, services_); }

void mount_connector_routes(http::router& to, const http::connector_services& services) {
  for (const auto routes : {http::metadata_routes, http::registration_routes, http::consent_pages,
                            http::token_routes, http::introspection_routes})
    to.mount("", routes(services));
}

} // namespace roost
