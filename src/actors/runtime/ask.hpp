#pragma once

#include "actors/runtime/clock.hpp"

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <caf/actor_companion.hpp>
#include <caf/typed_actor.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <unordered_map>

/// Awaiting an actor's response in a coroutine of an I/O thread:
///
///     reserve_response response = co_await ask(calendar, reserve{...});
///
/// The response's type follows from the actor's signature; a message that the actor does not accept does not
/// compile. Every ask ends with the response or an ask_error.
namespace roost::actors {

namespace asio = boost::asio;

enum class ask_failure {
  timed_out,     ///< no response within the port's time limit
  receiver_down, ///< the actor has ended
  too_many,      ///< the port's limit of asks in flight is reached
  closed,        ///< the service is shutting down
  refused,       ///< the actor responded with an error, contained in `reason`
};

inline constexpr std::size_t ask_failures = 5;
/// Returns the metrics' name of a failure, such as `timed_out`.
const char* to_string(ask_failure kind);

/// The outcomes of one port's asks. Written by its thread, readable from any thread.
struct ask_counts {
  std::atomic<std::uint64_t> started{0};
  std::array<std::atomic<std::uint64_t>, ask_failures> failed{}; ///< by ask_failure
  std::atomic<std::size_t> in_flight{0};
};

class ask_error : public std::runtime_error {
public:
  explicit ask_error(ask_failure kind, caf::error reason = {});
  ask_failure kind() const { return kind_; }
  /// Returns the actor's error; empty if there was no response, and then without category() and code().
  const caf::error& reason() const { return reason_; }

private:
  ask_failure kind_;
  caf::error reason_;
};

/// Sends the requests of one I/O thread's coroutines and completes them on that thread. For CAF it is an
/// actor that is never scheduled: responses are passed to `sink`, which forwards them to the thread.
class ask_port final : public caf::actor_companion {
public:
  using clock = std::chrono::steady_clock;

  /// Receives responses on any thread, and must call on_response() on the port's thread.
  class sink {
  public:
    virtual void take_response(caf::mailbox_element_ptr response) = 0;

  protected:
    ~sink() = default;
  };

  explicit ask_port(caf::actor_config& config) : caf::actor_companion(config) {}

  /// Opens the port, before the first ask. Keeps references to its arguments.
  void open(sink& responses, asio::io_context& io, caf::execution_unit& unit, clock::duration time_limit,
            std::size_t max_in_flight);

  /// Fails pending and future asks. Call on the port's thread.
  void close();

  void on_response(caf::mailbox_element& response);

  std::size_t in_flight() const { return pending_.size(); }
  const ask_counts& counts() const { return counts_; }
  /// Returns the deadline of an ask that starts now.
  deadline response_deadline() const { return deadline::in(time_limit_); }

  void enqueue(caf::mailbox_element_ptr response, caf::execution_unit*) override;
  void enqueue(caf::strong_actor_ptr sender, caf::message_id id, caf::message content,
               caf::execution_unit* unit) override;

  /// Starts an ask; `handler` is invoked with (std::exception_ptr, Response) on its own executor.
  template <typename Response, typename Handler, typename Message>
  void start(const caf::strong_actor_ptr& to, Handler handler, Message message) {
    auto waiting = std::make_unique<operation<Response, Handler>>(std::move(handler));
    if (const auto failure = refusal(to)) {
      count(*failure);
      return waiting.release()->fail_later(*failure);
    }
    const auto id = new_request_id(caf::message_priority::normal);
    pending_.emplace(id.response_id().integer_value(), std::move(waiting));
    expect_response_to(id);
    to->enqueue(caf::make_mailbox_element(caf::strong_actor_ptr{ctrl()}, id, {}, std::move(message)), unit_);
  }

private:
  struct pending_ask {
    virtual ~pending_ask() = default;
    /// Completes the ask with the content; returns the failure if it is not a response.
    virtual std::optional<ask_failure> settle(caf::type_erased_tuple& content) = 0;
    virtual void fail(ask_failure failure) = 0;
  };

  template <typename Response, typename Handler>
  struct operation final : pending_ask {
    explicit operation(Handler h)
        : handler(std::move(h)), work(asio::make_work_guard(asio::get_associated_executor(handler))) {}

    std::optional<ask_failure> settle(caf::type_erased_tuple& content) override {
      if constexpr (std::is_same_v<Response, caf::unit_t>) {
        if (content.empty()) {
          complete(nullptr, {});
          return std::nullopt;
        }
      } else if (content.match_elements<Response>()) {
        complete(nullptr, std::move(content.get_mutable_as<Response>(0)));
        return std::nullopt;
      }
      auto failed = to_error(content);
      const auto kind = failed.kind();
      complete(std::make_exception_ptr(std::move(failed)), Response{});
      return kind;
    }
    void fail(ask_failure failure) override {
      complete(std::make_exception_ptr(ask_error{failure}), Response{});
    }

    /// Takes ownership of itself: an initiating function must not complete before it returns.
    void fail_later(ask_failure failure) {
      asio::post(work.get_executor(),
                 [self = std::unique_ptr<operation>(this), failure] { self->fail(failure); });
    }
    void complete(std::exception_ptr error, Response response) {
      auto executor = work.get_executor();
      work.reset();
      asio::dispatch(executor, [h = std::move(handler), error, r = std::move(response)]() mutable {
        std::move(h)(error, std::move(r));
      });
    }

    Handler handler;
    asio::executor_work_guard<asio::associated_executor_t<Handler>> work;
  };

  static ask_error to_error(const caf::type_erased_tuple& content);
  void count(ask_failure kind);
  std::optional<ask_failure> refusal(const caf::strong_actor_ptr& to) const;
  void expect_response_to(caf::message_id id);
  void arm_timer();
  void expire_overdue();
  std::unique_ptr<pending_ask> take(std::uint64_t key);

  sink* sink_ = nullptr;
  caf::execution_unit* unit_ = nullptr;
  clock::duration time_limit_{};
  std::size_t max_in_flight_ = 0;
  bool closed_ = true;
  bool armed_ = false;
  ask_counts counts_;
  std::unordered_map<std::uint64_t, std::unique_ptr<pending_ask>> pending_;
  std::deque<std::pair<clock::time_point, std::uint64_t>> deadlines_; // ascending: one limit for all
  std::optional<asio::steady_timer> timer_;
};

/// Returns the calling I/O thread's port. Throws std::logic_error on other threads.
ask_port& current_port();

/// Returns the deadline of an ask that starts now; work that has not started by then is not needed.
inline deadline response_deadline() { return current_port().response_deadline(); }

namespace detail {

template <typename List>
struct single_response {
  using type = caf::unit_t;
};
template <typename First, typename... Rest>
struct single_response<caf::detail::type_list<First, Rest...>> {
  using type = First;
};
template <>
struct single_response<caf::detail::type_list<void>> {
  using type = caf::unit_t;
};

} // namespace detail

template <typename Message, typename... Signatures>
using response_to = typename detail::single_response<
    caf::response_type_t<caf::detail::type_list<Signatures...>, Message>>::type;

/// Sends a request to `to`; only from a coroutine on an I/O thread. The awaitable throws ask_error on
/// failure.
///
/// Give a message that owns memory as a moved local, not as a braced temporary inside the co_await
/// expression: GCC 12 copies such an aggregate bit by bit into the coroutine's frame (GCC bug 99576), so that
/// its strings are freed twice. Assign a response that is an optional of a class to a variable, too: with the
/// co_await in the condition of an `if`, GCC 12 gives the coroutine a parameter that does not exist.
template <typename... Signatures, typename Message>
asio::awaitable<response_to<Message, Signatures...>> ask(caf::typed_actor<Signatures...> to,
                                                         Message message) {
  using response = response_to<Message, Signatures...>;
  co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(std::exception_ptr, response)>(
      [](auto handler, caf::strong_actor_ptr target, Message content) {
        current_port().start<response>(target, std::move(handler), std::move(content));
      },
      asio::use_awaitable, caf::actor_cast<caf::strong_actor_ptr>(std::move(to)), std::move(message));
}

} // namespace roost::actors
