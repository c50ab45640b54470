#pragma once

#include "http/management/management_services.hpp"
#include "service/mail_module.hpp"
#include "service/management_access_data.hpp"

namespace roost {

/// Signing in, sessions, and the routes of the management API.
class management_module final : public module {
public:
  management_module(foundation& base, const management_access_data& access, const mail_module& mail);

  void mount(http::router& to) const override;
  void finish_writing() override;

private:
  void spawn_actors(foundation& base, const management_access_data& access, const mail_module& mail);

  void spawn_ledger(foundation& base);

  foundation& base_;
  actors::password_hasher hasher_;
  http::management_services services_;
};

} // namespace roost
