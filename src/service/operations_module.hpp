#pragma once

#include "http/protocol/server.hpp"
#include "service/foundation.hpp"
#include "service/module.hpp"

#include <optional>

namespace roost {

/// The operator's listener: health, readiness and metrics of all modules. It is the first to start and the
/// last to stop, so that a stop can be watched.
class operations_module final : public module {
public:
  explicit operations_module(foundation& base);

  void start() override { listener_->start(); }
  void stop() override { listener_.reset(); }

  std::uint16_t port() const { return listener_->port(); }

private:
  std::optional<http::server> listener_;
};

} // namespace roost
