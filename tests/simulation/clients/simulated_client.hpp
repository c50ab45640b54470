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

  /// Continues if the time has come, or the response. Throws contradiction.
  void act();

  /// Returns when to call act() even if no response comes.
  time_point acts_at() const { return acts_at_; }

  /// Compares what the client knows with the store, once all clients are done. Returns differences, in words.
  virtual std::vector<std::string> differences(store::session&) const { return {}; }

  bool is_done() const { return life_ && life_->is_done(); }
  const std::string& name() const { return name_; }

protected:
  /// Everything that the client does. It must return soon after history::is_completing().
  virtual client_task<> live() = 0;

  /// Forgets everything that another era of the history has changed; live() is called again then.
  virtual void forget() {}

  /// Sends a request to a server, preferably to the one that responded last, and waits for the response.
  /// Status 0: there was none in time. `is_over` is called when the request can have no more effect: right
  /// before the function returns, or later if the client did not wait so long.
  client_task<simulated_response> ask(std::string purpose, http_call call,
                                      std::function<void()> is_over = {});

  /// Repeats a request until its response is neither missing nor a 503.
  client_task<simulated_response> insist(std::string purpose, http_call call);

  /// Whether the client gave up waiting for this response, so that the request may still have an effect.
  static bool was_abandoned(const simulated_response& response, time_point sent_at);

  /// Returns an awaitable that lets this time pass.
  auto wait(duration time) { return pause{*this, time}; }

  duration between(duration min, duration max);
  std::size_t any(std::size_t count) { return static_cast<std::size_t>(history_.random() % count); }
  bool chance(unsigned percent) { return history_.random() % 100 < percent; }
  static time_point now() { return std::chrono::steady_clock::now(); }
  /// Times that advance by at least, and at most, as much as the servers' calendar clock.
  time_point latest() { return now() + history_.clock_error(); }
  time_point earliest() { return now() - history_.clock_error(); }

  void tell(const std::string& text) { history_.tell(name_ + ' ' + text); }
  [[noreturn]] void contradict(const std::string& text) const { throw contradiction(name_ + ": " + text); }

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
  void start_anew();
  void suspend(std::coroutine_handle<> handle, time_point until) {
    waiting_ = handle;
    acts_at_ = until;
  }

  std::string name_;
  std::optional<client_task<>> life_;
  std::coroutine_handle<> waiting_;
  std::uint64_t era_ = 0;
  bool is_running_ = false;           ///< it may let the history go on itself
  std::shared_ptr<exchange> awaited_; ///< empty: the client waits only for the time
  time_point acts_at_{};
  std::optional<std::size_t> favourite_; ///< the server that responded last
};

/// Returns a header field of a response; empty: there is none.
std::string field_of(const simulated_response& response, std::string_view name);

} // namespace roost::testing
