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

/// A whole server without sockets: all features with their actors, run by a seeded_scheduler, and the routes
/// behind the checks of the public listener.
class simulated_server {
public:
  using random = seeded_scheduler::random;
  using time_point = seeded_scheduler::time_point;
  using receiver = response_receiver;
  using reporter = std::function<void(const std::string&)>;

  /// Starts the server; it runs only in step().
  /// `pass_time` lets time pass until something happens while a wait has nothing else to run. `contradict` is
  /// called with a description of a response that must not be sent.
  simulated_server(const config::settings& settings, std::shared_ptr<mail::transport> mail, random& chances,
                   std::function<void()> pass_time, reporter contradict);
  ~simulated_server();
  simulated_server(const simulated_server&) = delete;
  simulated_server& operator=(const simulated_server&) = delete;

  /// Runs one message of an actor, or one ready handler of a connection. Returns whether there was any.
  bool step();

  /// When the next delayed message is due.
  std::optional<time_point> next_timer() const { return scheduler_->next_timer(); }
  void send_due() { scheduler_->send_due(); }

  /// Lets some of its actors wait before their next message; seeded_scheduler::delay_messages().
  void delay_messages(std::function<bool()> is_delayed, std::chrono::nanoseconds max) {
    scheduler_->delay_messages(std::move(is_delayed), max);
  }

  /// Whether a wait for a message runs its actors now.
  bool is_waiting() const { return scheduler_->is_waiting(); }

  /// Passes a request to its route; `text` is its header and body as on the wire. `receive` is called once:
  /// with the response, or when the server is killed.
  void request(std::string text, receiver receive);

  /// As a shutdown signal does: finishes what is being written and releases the lease. Nothing but the
  /// destructor may be called afterwards.
  void stop();

  service_context& context() { return features_->base(); }

private:
  struct exchange;

  boost::asio::awaitable<void> respond(std::shared_ptr<exchange> with);

  random& random_;
  const reporter contradict_;
  std::unique_ptr<features> features_;
  seeded_scheduler* scheduler_ = nullptr;
  std::shared_ptr<http::server_core> core_;
};

} // namespace roost::testing
