#pragma once

#include "http/office/office_api.hpp"
#include "service/bookings_module.hpp"
#include "service/feeds_module.hpp"
#include "service/management_module.hpp"
#include "service/service_context.hpp"

namespace roost {

/// The office API: what a landlord's staff does.
class office_module final : public module {
public:
  office_module(service_context& base, const feeds_module& feeds, const bookings_module& bookings,
                const management_module& management);

  void mount(http::router& to) const override;
  void finish_writing() override;
  void stop() override;

private:
  http::office_services services_;
};

/// Mounts the routes with their document. For listing the routes, the services may be empty.
void mount_office_routes(http::router& to, const http::office_services& services);

} // namespace roost
