#include "service/mail_module.hpp"

#include "mail/transport.hpp"
#include "service/actor_shutdown.hpp"
#include "service/conversions.hpp"

namespace roost {

mail_module::mail_module(service_context& base) : base_(base), transport_(to_transport(base.settings.mail)) {
  actors::mailer_setup setup;
  setup.storage = base.storage_at(service_context::lane::reads_and_mail);
  setup.lease = base.lease;
  setup.transport = transport_;
  setup.now = base.hooks.now;
  setup.on_hold = base.hooks.on_hold;
  setup.registry = &base.registry;
  setup.keep = base.settings.mail.keep;
  mailer_ = actors::spawn_mailer(*base.runtime, std::move(setup));
}

void mail_module::finish_writing() {
  transport_->interrupt();
  stop_actor_and_wait(base_.system(), mailer_); // its deliveries are then queued for the store
}

} // namespace roost
