#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace roost::testing {

template <typename Result>
class client_task;

namespace detail {

/// The common part of all client_task promises: the coroutine that awaits the result, and an exception.
class task_promise_base {
public:
  std::suspend_always initial_suspend() noexcept { return {}; }

  auto final_suspend() noexcept {
    struct resume_waiting {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<>) noexcept {
        return waiting ? waiting : std::noop_coroutine();
      }
      void await_resume() noexcept {}
      std::coroutine_handle<> waiting;
    };
    return resume_waiting{waiting_};
  }

  void unhandled_exception() { error_ = std::current_exception(); }
  void resume_at_end(std::coroutine_handle<> waiting) { waiting_ = waiting; }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

private:
  std::coroutine_handle<> waiting_;
  std::exception_ptr error_;
};

template <typename Result>
class task_promise : public task_promise_base {
public:
  client_task<Result> get_return_object();
  void return_value(Result result) { result_ = std::move(result); }
  Result take() {
    rethrow();
    return std::move(*result_);
  }

private:
  std::optional<Result> result_;
};

template <>
class task_promise<void> : public task_promise_base {
public:
  client_task<void> get_return_object();
  void return_void() {}
  void take() { rethrow(); }
};

} // namespace detail

/// A coroutine of a simulated client. It runs when it is awaited, and may await others; start() runs the
/// outermost one. Destroying it also destroys those that it awaits.
template <typename Result = void>
class [[nodiscard]] client_task {
public:
  using promise_type = detail::task_promise<Result>;

  explicit client_task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  client_task(client_task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  client_task& operator=(client_task&&) = delete;
  ~client_task() {
    if (handle_) handle_.destroy();
  }

  /// Runs the outermost coroutine until it waits for the first time.
  void start() { handle_.resume(); }
  bool is_done() const { return handle_.done(); }
  /// Throws the exception with which the coroutine ended, if any.
  void rethrow() { handle_.promise().rethrow(); }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    handle_.promise().resume_at_end(waiting);
    return handle_;
  }
  Result await_resume() { return handle_.promise().take(); }

private:
  std::coroutine_handle<promise_type> handle_;
};

namespace detail {

template <typename Result>
client_task<Result> task_promise<Result>::get_return_object() {
  return client_task<Result>{std::coroutine_handle<task_promise>::from_promise(*this)};
}

inline client_task<void> task_promise<void>::get_return_object() {
  return client_task<void>{std::coroutine_handle<task_promise>::from_promise(*this)};
}

} // namespace detail

} // namespace roost::testing
