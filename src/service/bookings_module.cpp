#include "service/bookings_module.hpp"

#include "service/actor_ends.hpp"

namespace roost {

bookings_module::bookings_module(foundation& base, const mail_module& mail) : base_(base) {
  using lane = foundation::lane;
  actors::booking_queue_setup setup;
  setup.decisions = {base.platforms, base.hooks.now, base.new_id()};
  setup.cycle = base.settings.bookings.cycle;
  setup.writing = base.storage_at(lane::decisions);
  setup.reading = base.storage_at(lane::reads_and_mail);
  setup.lease = base.lease;
  setup.directory = &base.directory;
  setup.mailer = mail.mailer();
  setup.registry = &base.registry;
  queue_ = actors::spawn_booking_queue(*base.runtime, std::move(setup));
  intake_ =
      actors::spawn_booking_intake(*base.runtime, base.storage->acknowledging(), base.lease, base.registry);
  platform_bookings_ = actors::spawn_platform_bookings(
      *base.runtime, {base.storage_at(lane::reads_and_mail), base.storage_at(lane::acknowledgements),
                      base.lease, base.hooks.now, base.new_id()});
}

void bookings_module::finish_writing() {
  tell_and_wait(base_.system(), queue_, actors::stop_queue{});
  end(queue_);
  end(platform_bookings_);
  end(intake_);
}

} // namespace roost
