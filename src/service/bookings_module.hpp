#pragma once

#include "actors/bookings/booking_intake.hpp"
#include "actors/bookings/booking_queue.hpp"
#include "actors/bookings/hold_keeper.hpp"
#include "actors/bookings/outcome_watch.hpp"
#include "actors/bookings/platform_bookings.hpp"
#include "actors/bookings/queue_watch.hpp"
#include "actors/engine/booking_engine.hpp"
#include "actors/mailing/mailer.hpp"
#include "actors/office/office_writer.hpp"
#include "service/feeds_module.hpp"
#include "service/service_context.hpp"

#include <memory>

namespace roost {

/// Sends the messages in the outbox.
class mail_module final : public module {
public:
  explicit mail_module(service_context& base);

  /// Interrupts a transfer in progress: its message stays in the outbox.
  void finish_writing() override;

  const actors::mailer& mailer() const { return mailer_; }

private:
  service_context& base_;
  std::shared_ptr<mail::transport> transport_;
  actors::mailer mailer_;
};

/// Accepts booking requests and decides them, changes and cancels bookings for their platforms and for the
/// office, and writes the booking engine's changes: units' terms and new properties.
class bookings_module final : public module {
public:
  bookings_module(service_context& base, const portfolio_module& portfolio, const mail_module& mail);

  /// Finishes writing the current group of decisions; requests that only hold nights stay pending in the
  /// store.
  void finish_writing() override;

  const actors::booking_intake& intake() const { return intake_; }
  const actors::platform_bookings& platform_bookings() const { return platform_bookings_; }
  const actors::outcome_watch& outcomes() const { return outcomes_; }
  const actors::hold_keeper& holds() const { return holds_; }
  const actors::booking_engine& booking_engine() const { return booking_engine_; }
  const actors::office_writer& office_writer() const { return office_writer_; }

private:
  void spawn_office_writer(const portfolio_module& portfolio);
  void spawn_hold_keeper(const portfolio_module& portfolio);
  void watch_queue();

  service_context& base_;
  const std::shared_ptr<actors::heartbeat> heartbeat_ = std::make_shared<actors::heartbeat>();
  actors::office_writer office_writer_;
  actors::booking_queue queue_;
  actors::queue_watch watch_;
  actors::booking_intake intake_;
  actors::platform_bookings platform_bookings_;
  actors::outcome_watch outcomes_;
  actors::hold_keeper holds_;
  actors::booking_engine booking_engine_;
};

} // namespace roost
