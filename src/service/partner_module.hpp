#pragma once

#include "http/partner/partner_services.hpp"
#include "service/bookings_module.hpp"
#include "service/feeds_module.hpp"
#include "service/partner_credentials.hpp"

namespace roost {

/// The features that the partner API's routes work with.
struct partner_features {
  const feeds_module& feeds;
  const bookings_module& bookings;
  const engine_module& engine;
  const partner_credentials& credentials;
};

/// The partner API's routes.
class partner_module final : public module {
public:
  partner_module(service_context& base, const partner_features& features);

  void mount(http::router& to) const override;

private:
  http::partner_services services_;
};

/// Mounts the routes with their documents. For listing the routes, the services may be empty.
void mount_partner_routes(http::router& to, const http::partner_services& services);

} // namespace roost
