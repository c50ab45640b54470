#pragma once

#include "config/settings.hpp"
#include "http/partner/partner_api.hpp"
#include "http/protocol/server.hpp"
#include "service/bookings_module.hpp"
#include "service/feeds_module.hpp"
#include "service/partner_credentials.hpp"
#include "service/service_context.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost {

/// The partner API's routes.
class partner_module final : public module {
public:
  partner_module(service_context& base, const feeds_module& feeds, const bookings_module& bookings,
                 const partner_credentials& credentials);

  void mount(http::router& to) const override;

private:
  http::partner_services services_;
};

/// Mounts the routes with their documents. For listing the routes, the services may be empty.
void mount_partner_routes(http::router& to, const http::partner_services& services);

/// The public listener, which serves the routes of all features.
class public_module final : public module {
public:
  /// Throws std::runtime_error when the address is taken, or the certificate or its key cannot be used.
  public_module(service_context& base, const std::vector<std::unique_ptr<module>>& features);

  void start() override { listener_->start(); }

  /// Rejects new requests and waits for those that may write.
  void finish_writing() override;
  /// Waits for the last responses, and closes the remaining connections `server.drain_timeout` after
  /// finish_writing() began.
  void stop() override;

  std::uint16_t port() const { return port_; }

  http::server& listener() { return *listener_; }

private:
  using clock = std::chrono::steady_clock;

  /// Runs one of the listener's coroutines to completion and returns its result.
  bool finish(boost::asio::awaitable<bool> ending);

  service_context& base_;
  std::optional<http::server> listener_;
  std::uint16_t port_ = 0;
  clock::time_point drained_by_{};
};

/// The operator's listener: health, readiness and metrics of all modules. It is the first to start and the
/// last to stop, so that a shutdown can be observed.
class operations_module final : public module {
public:
  explicit operations_module(service_context& base);

  void start() override { listener_->start(); }
  void stop() override { listener_.reset(); }

  std::uint16_t port() const { return listener_->port(); }

private:
  std::optional<http::server> listener_;
};

/// A route of the public listener, as `roost routes` prints it.
struct listed_route {
  std::string method, path;
  std::string needs; ///< what a caller needs, in words
};

/// Returns all routes, sorted by path and method, taken from the routing table itself.
std::vector<listed_route> list_routes(const config::settings& settings);

} // namespace roost
