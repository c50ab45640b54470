#include "service/bookings_module.hpp"

#include "http/bookings/booking_changes.hpp"
#include "service/conversions.hpp"

namespace roost {

namespace {

/// Added to a cycle: the time that a slow store may take for a group.
constexpr std::chrono::seconds queue_grace{60};

} // namespace

bookings_module::bookings_module(service_context& base, const portfolio_module& portfolio,
                                 const mail_module& mail)
    : base_(base) {
  using lane = service_context::lane;
  actors::booking_queue_setup setup;
  setup.decisions = {base.platforms, base.hooks.now, base.new_id(), base.settings.mail.gathers_refusals};
  setup.cycle = base.settings.bookings.cycle;
  setup.on_hold = base.hooks.on_hold;
  if (base.settings.privacy.keep > std::chrono::milliseconds{0})
    setup.keep_guests = base.settings.privacy.keep;
  setup.writing = base.storage_at(lane::decisions);
  setup.reading = base.storage_at(lane::reads_and_mail);
  setup.lease = base.lease;
  setup.directory = &base.directory;
  setup.followed = base.followed;
  setup.mailer = mail.mailer();
  setup.follower = portfolio.follower();
  setup.heartbeat = heartbeat_;
  setup.registry = &base.registry;
  spawn_office_writer(portfolio);
  setup.changes = {office_writer_, base.hooks.now, base.new_id(), http::changes_of_booking};
  queue_ = actors::spawn_booking_queue(*base.runtime, std::move(setup));
  intake_ =
      actors::spawn_booking_intake(*base.runtime, base.storage->acknowledging(), base.lease, base.registry);
  platform_bookings_ = actors::spawn_platform_bookings(
      *base.runtime, {base.storage_at(lane::reads_and_mail), base.storage_at(lane::acknowledgements),
                      base.lease, base.followed, portfolio.follower(), base.hooks.now, base.new_id()});
  outcomes_ = actors::spawn_outcome_watch(*base.runtime, {base.storage_at(lane::reads_and_mail), base.lease});
  spawn_hold_keeper(portfolio);
  booking_engine_ = actors::spawn_booking_engine(*base.runtime, {base.storage_at(lane::decisions), base.lease,
                                                                 portfolio.follower(), mail.mailer(),
                                                                 base.hooks.now, base.new_id()});
  watch_queue();
}

void bookings_module::spawn_office_writer(const portfolio_module& portfolio) {
  actors::office_writer_setup setup;
  setup.storage = base_.storage_at(service_context::side_lane::office);
  setup.reading = base_.storage_at(service_context::lane::reads_and_mail);
  setup.lease = base_.lease;
  setup.follower = portfolio.follower();
  setup.followed = base_.followed;
  setup.directory = &base_.directory;
  setup.new_id = base_.new_id();
  office_writer_ = actors::spawn_office_writer(*base_.runtime, std::move(setup));
}

void bookings_module::spawn_hold_keeper(const portfolio_module& portfolio) {
  actors::hold_keeper_setup setup;
  setup.writer = office_writer_;
  setup.reading = base_.storage_at(service_context::lane::reads_and_mail);
  setup.follower = portfolio.follower();
  setup.lease = base_.lease;
  setup.now = base_.hooks.now;
  setup.registry = &base_.registry;
  setup.on_hold = base_.hooks.on_hold;
  holds_ = actors::spawn_hold_keeper(*base_.runtime, std::move(setup));
}

/// Watches the queue from the outside, because a stuck queue cannot report itself.
void bookings_module::watch_queue() {
  actors::queue_watch_setup setup{base_.storage_at(service_context::lane::reads_and_mail),
                                  base_.lease,
                                  base_.platforms,
                                  &base_.directory,
                                  base_.hooks.now,
                                  &base_.registry};
  setup.on_hold = base_.hooks.on_hold;
  base_.readiness.push_back({"platforms",
                             [undecidable = setup.undecidable]() -> std::optional<std::string> {
                               const auto requests = undecidable->get();
                               if (!requests || requests->empty()) return {};
                               return actors::describe(*requests);
                             },
                             true});
  watch_ = actors::spawn_queue_watch(*base_.runtime, std::move(setup));
  const auto age =
      base_.registry.gauge("roost_queue_run_age_seconds",
                           "Time since the booking queue began a run, wrote a group or ended a run");
  base_.registry.on_scrape([age, heartbeat = heartbeat_, on_hold = base_.hooks.on_hold] {
    age.set(on_hold ? 0 : std::chrono::duration<double>(heartbeat->age()).count());
  });
  if (base_.hooks.on_hold)
    return base_.readiness.push_back({"hold", []() -> std::optional<std::string> {
                                        return "started with --hold: nothing is decided, mailed or deleted";
                                      }});
  base_.readiness.push_back(
      {"decisions",
       [heartbeat = heartbeat_, lease = base_.lease,
        limit = base_.settings.bookings.cycle + queue_grace]() -> std::optional<std::string> {
         if (!lease->holds() || heartbeat->age() < limit) return {};
         const auto age = std::chrono::duration_cast<std::chrono::seconds>(heartbeat->age());
         return "the booking queue has not moved for " + std::to_string(age.count()) + " s";
       }});
}

void bookings_module::finish_writing() {
  caf::anon_send(outcomes_, actors::end_outcome_waits{}); // waiting clients get 503 and ask the next writer
  stop_actor(booking_engine_);
  send_and_wait(base_.system(), queue_, actors::stop_queue{});
  stop_actor(queue_);
  stop_actor(holds_);
  stop_actor(office_writer_);
  stop_actor(watch_);
  stop_actor(platform_bookings_);
  stop_actor(outcomes_);
  stop_actor(intake_);
}

mail_module::mail_module(service_context& base)
    : base_(base),
      transport_(base.hooks.transport ? base.hooks.transport : to_transport(base.settings.mail)) {
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
  send_and_wait(base_.system(), mailer_, actors::stop_mailer{});
  stop_actor_and_wait(base_.system(), mailer_);
}

} // namespace roost
