#include "service/engine_module.hpp"

#include "service/actor_ends.hpp"

namespace roost {

engine_module::engine_module(service_context& base, const portfolio_module& portfolio,
                             const mail_module& mail) {
  using lane = service_context::lane;
  actors::booking_engine_setup setup;
  setup.reading = base.storage_at(lane::reads_and_mail);
  setup.writing = base.storage_at(lane::decisions);
  setup.lease = base.lease;
  setup.follower = portfolio.follower();
  setup.mailer = mail.mailer();
  setup.now = base.hooks.now;
  setup.new_id = base.new_id();
  booking_engine_ = actors::spawn_booking_engine(*base.runtime, std::move(setup));
}

void engine_module::finish_writing() { end(booking_engine_); }

} // namespace roost
