#pragma once

#include "http/partner/partner_services.hpp"
#include "http/protocol/server.hpp"
#include "service/bookings_module.hpp"
#include "service/engine_module.hpp"
#include "service/feeds_module.hpp"
#include "service/partner_credentials.hpp"

#include <optional>

namespace roost {

/// The features that the partner API's routes work with.
struct partner_features {
  const feeds_module& feeds;
  const bookings_module& bookings;
  const engine_module& engine;
  const partner_credentials& credentials;
};

/// The partner API and the public listener that serves it.
class partner_module final : public module {
public:
  /// Throws std::runtime_error when the address is taken, or the certificate or its key cannot be used.
  partner_module(foundation& base, const partner_features& features);

  void start() override { listener_->start(); }

  /// Takes no more requests, and lets those that may write finish.
  void finish_writing() override;
  /// Lets the last answers be sent, and cuts off what is left `server.drain_timeout` after the first of the
  /// two.
  void stop() override;

  std::uint16_t port() const { return port_; }

private:
  using clock = std::chrono::steady_clock;

  http::router router() const;
  /// Waits for the end of one of the listener's coroutines.
  bool finish(boost::asio::awaitable<bool> ending);

  foundation& base_;
  http::partner_services services_;
  std::optional<http::server> listener_;
  std::uint16_t port_ = 0;
  clock::time_point drained_by_{};
};

} // namespace roost
