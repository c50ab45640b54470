#pragma once

#include "service/support/mixed_requests.hpp"
#include "simulation/clients/client_task.hpp"
#include "simulation/history.hpp"

#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// A client of a history, written as a coroutine: it sends a request, waits for the response, and continues.
class simulated_client {
public:
  using time_point = history::time_point;
  using duration = time_point::duration;

  simulated_client(history& in, std::string name) : history_(in), name_(std::move(name)) {}
  virtual ~simulated_client() = default;
  simulated_client(const simulated_client&) = delete;
  simulated_client& operator=(const simulated_client&) = delete;

  /// Continues the coroutine if its response has arrived or its wait is over. Throws contradiction.
  void act();

  /// Returns when to call act() even without a response.
  time_point next_action_at() const { return next_action_at_; }

  /// Compares the client's knowledge with the store, once all clients are done. Returns descriptions of
  /// differences.
  virtual std::vector<std::string> differences(store::session&) const { return {}; }

  bool is_done() const { return task_ && task_->is_done(); }
  const std::string& name() const { return name_; }

protected:
  /// Does all of the client's work. Must return soon after history::is_completing().
  virtual client_task<> run() = 0;

  /// Forgets everything when the history's generation has changed. Afterwards, run() is called again.
  virtual void forget() {}

  /// Sends a request to a server, preferably to the one that responded last, and waits for the response;
  /// status 0 if there was none in time. `is_over` is called when the request can have no more effect: before
  /// the function returns, or later if the client gave up waiting.
  client_task<simulated_response> ask(std::string purpose, http_call call,
                                      std::function<void()> is_over = {});

  /// Retries a request until there is a response other than 503.
  client_task<simulated_response> ask_until_served(std::string purpose, http_call call);

  /// Returns whether the client gave up waiting for this response, so that the request may still have an
  /// effect.
  static bool was_abandoned(const simulated_response& response, time_point sent_at);

  /// Returns an awaitable that waits for this time.
  auto wait(duration time) { return pause{*this, time}; }

  duration between(duration min, duration max);
  std::size_t random_index(std::size_t count) { return static_cast<std::size_t>(history_.random() % count); }
  bool chance(unsigned percent) { return history_.random() % 100 < percent; }
  static time_point now() { return std::chrono::steady_clock::now(); }
  /// Bounds of the current time by the servers' calendar clock, including its jumps.
  time_point latest() { return now() + history_.clock_error(); }
  time_point earliest() { return now() - history_.clock_error(); }

  void add_to_story(const std::string& text) { history_.add_to_story(name_ + ' ' + text); }
  [[noreturn]] void fail(const std::string& text) const { throw contradiction(name_ + ": " + text); }

  history& history_;

private:
  struct exchange;
  struct pause {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> handle) { owner.suspend(handle, now() + time); }
    void await_resume() const noexcept {}
    simulated_client& owner;
    duration time;
  };

  void resume();
  void restart();
  void suspend(std::coroutine_handle<> handle, time_point until) {
    waiting_ = handle;
    next_action_at_ = until;
  }

  std::string name_;
  std::optional<client_task<>> task_;
  std::coroutine_handle<> waiting_;
  std::uint64_t generation_ = 0;
  bool is_running_ = false;           ///< the client may itself run the history
  std::shared_ptr<exchange> pending_; ///< empty if the client waits only for a time
  time_point next_action_at_{};
  std::optional<std::size_t> preferred_server_; ///< the server that responded last
};

/// Returns a header field of a response; empty if there is none.
std::string field_of(const simulated_response& response, std::string_view name);

} // namespace roost::testing
