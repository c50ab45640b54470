#pragma once

#include "http/connector/connector_services.hpp"
#include "service/management_access_data.hpp"
#include "service/management_module.hpp"
#include "service/partner_credentials.hpp"

namespace roost {

/// The features that the connector's routes work with.
struct connector_features {
  const management_access_data& access;
  const partner_credentials& credentials;
  const management_module& management;
};

/// The routes and pages by which assistants are let in (OAuth 2.1).
class connector_module final : public module {
public:
  connector_module(service_context& base, const connector_features& features);

  void mount(http::router& to) const override;

  void finish_writing() override;

private:
  void spawn_client_documents(service_context& base);

  http::connector_services services_;
};

/// The routes and pages. The services may be empty, but for the management's, where the routes are only
/// listed.
void mount_connector_routes(http::router& to, const http::connector_services& services);

} // namespace roost
