#pragma once

#include "http/protocol/server.hpp"
#include "service/module.hpp"
#include "service/service_context.hpp"

#include <optional>

namespace roost {

/// The operator's listener: health, readiness and metrics of all modules. It is the first to start and the
/// last to stop, so that a stop can be watched.
class operations_module final : public module {
public:
  explicit operations_module(service_context& base);

  void start() override { listener_->start(); }
  void stop() override { listener_.reset(); }

  std::uint16_t port() const { return listener_->port(); }

private:
  std::optional<http::server> listener_;
};

} // namespace roost
