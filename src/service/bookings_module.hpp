#pragma once

#include "actors/bookings/booking_intake.hpp"
#include "actors/bookings/booking_queue.hpp"
#include "actors/bookings/platform_bookings.hpp"
#include "actors/engine/booking_engine.hpp"
#include "service/feeds_module.hpp"
#include "service/mail_module.hpp"

namespace roost {

/// Accepts booking requests, decides them, and cancels bookings for their platforms.
class bookings_module final : public module {
public:
  bookings_module(service_context& base, const portfolio_module& portfolio, const mail_module& mail);

  /// Finishes writing the current group of decisions; requests that only hold nights stay pending in the
  /// store.
  void finish_writing() override;

  const actors::booking_intake& intake() const { return intake_; }
  const actors::platform_bookings& platform_bookings() const { return platform_bookings_; }

private:
  void watch_queue();

  service_context& base_;
  const std::shared_ptr<actors::heartbeat> pulse_ = std::make_shared<actors::heartbeat>();
  actors::booking_queue queue_;
  actors::queue_watch watch_;
  actors::booking_intake intake_;
  actors::platform_bookings platform_bookings_;
};

/// The booking engine's writes: units' terms and new properties.
class engine_module final : public module {
public:
  engine_module(service_context& base, const portfolio_module& portfolio, const mail_module& mail);

  void finish_writing() override;

  const actors::booking_engine& booking_engine() const { return booking_engine_; }

private:
  actors::booking_engine booking_engine_;
};

} // namespace roost
