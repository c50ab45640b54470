#pragma once

#include "actors/engine/booking_engine.hpp"
#include "service/mail_module.hpp"
#include "service/portfolio_module.hpp"

namespace roost {

/// What the booking engine writes: units' terms and new properties.
class engine_module final : public module {
public:
  engine_module(service_context& base, const portfolio_module& portfolio, const mail_module& mail);

  void finish_writing() override;

  const actors::booking_engine& booking_engine() const { return booking_engine_; }

private:
  actors::booking_engine booking_engine_;
};

} // namespace roost
