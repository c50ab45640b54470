#pragma once

#include "http/protocol/message.hpp"
#include "http/protocol/server_core.hpp"
#include "mail/transport.hpp"
#include "service/features.hpp"
#include "simulation/seeded_scheduler.hpp"
#include "simulation/simulated_response.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>

namespace roost::testing {

/// A complete server without sockets: all features with their actors, run by a seeded_scheduler, and the
/// routes with the checks of the public listener.
class simulated_server {
public:
  using random = seeded_scheduler::random;
  using time_point = seeded_scheduler::time_point;
  using receiver = response_receiver;
  using reporter = std::function<void(const std::string&)>;

  /// Starts the server, which runs only in step(). `advance_time` is called when a wait has nothing to run,
  /// and advances the clock to the next event. `report_contradiction` is called with a description of a
  /// response that must not be sent.
  simulated_server(const config::settings& settings, std::shared_ptr<mail::transport> mail,
                   random& random_source, std::function<void()> advance_time, reporter report_contradiction);
  ~simulated_server();
  simulated_server(const simulated_server&) = delete;
  simulated_server& operator=(const simulated_server&) = delete;

  /// Runs one message of an actor, or one ready handler of a connection. Returns whether there was any.
  bool step();

  /// Returns when the next delayed message is due.
  std::optional<time_point> next_timer() const { return scheduler_->next_timer(); }
  void send_due() { scheduler_->send_due(); }

  /// Delays some messages; see seeded_scheduler::delay_messages().
  void delay_messages(std::function<bool()> is_delayed, std::chrono::nanoseconds max) {
    scheduler_->delay_messages(std::move(is_delayed), max);
  }

  /// Returns whether its actors are being run by a wait for a message.
  bool is_waiting() const { return scheduler_->is_waiting(); }

  /// Passes a request to its route; `text` is its header and body as on the wire. `receive` is called once:
  /// with the response, or when the server is killed.
  void request(std::string text, receiver receive);

  /// Shuts down as on a signal: finishes writes and releases the lease. Afterwards, only the destructor may
  /// be called.
  void stop();

  service_context& context() { return features_->base(); }

private:
  struct exchange;

  boost::asio::awaitable<void> respond(std::shared_ptr<exchange> with);

  random& random_;
  const reporter report_contradiction_;
  std::unique_ptr<features> features_;
  seeded_scheduler* scheduler_ = nullptr;
  std::shared_ptr<http::server_core> core_;
};

} // namespace roost::testing
