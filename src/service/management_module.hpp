#pragma once

#include "actors/usage/budget_watch.hpp"
#include "actors/usage/usage_ledger.hpp"
#include "http/connector/connector_api.hpp"
#include "http/management/management_api.hpp"
#include "service/bookings_module.hpp"
#include "service/management_access_data.hpp"
#include "service/partner_credentials.hpp"
#include "service/service_context.hpp"

namespace roost {

/// Sign-in, sessions, the ledger of AI model calls, and the routes of the management API.
class management_module final : public module {
public:
  management_module(service_context& base, const management_access_data& access,
                    const partner_credentials& credentials, const mail_module& mail);

  void mount(http::router& to) const override;
  /// Also writes accepted records of the ledger that are not on disk yet.
  void finish_writing() override;

  /// The services of all routes that users reach with a session.
  const http::management_services& services() const { return services_; }
  const actors::connector_keeper& connector_keeper() const { return connector_keeper_; }

private:
  void spawn_connector_keeper(service_context& base, const management_access_data& access);
  void spawn_actors(service_context& base, const management_access_data& access, const mail_module& mail);
  void spawn_budget_watch(service_context& base, const mail_module& mail);

  service_context& base_;
  actors::password_hasher hasher_;
  actors::connector_keeper connector_keeper_;
  actors::budget_watch budget_watch_;
  http::management_services services_;
};

/// Mounts the routes and pages with their documents. For listing the routes, the services may be empty.
void mount_management_routes(http::router& to, const http::management_services& services);

/// The routes and pages by which assistants gain access (OAuth 2.1).
class connector_module final : public module {
public:
  connector_module(service_context& base, const management_access_data& access,
                   const management_module& management);

  void mount(http::router& to) const override;

  void finish_writing() override;

private:
  void spawn_client_documents(service_context& base);

  http::connector_services services_;
};

/// Mounts the routes and pages. For listing the routes, all services but the management's may be empty.
void mount_connector_routes(http::router& to, const http::connector_services& services);

} // namespace roost
