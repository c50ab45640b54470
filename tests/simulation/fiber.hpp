#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace roost::testing {

/// A function with its own stack, which can wait in the middle while the only thread runs other code.
class fiber {
public:
  explicit fiber(std::function<void()> function);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Runs the function until it waits or ends. The function must have ended before the fiber is destroyed.
  void resume();
  bool has_ended() const { return has_ended_; }

  /// Returns the running fiber; null if there is none.
  static fiber* current();

  /// Returns to the caller of resume(). Call only from the fiber's function.
  void wait();

private:
  struct exceptions; ///< the exceptions being handled, which the library stores by thread

  static void run();
  void swap(ucontext_t& from, const ucontext_t& to);

  std::function<void()> function_;
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t own_{}, outer_{};
  fiber* outer_fiber_ = nullptr;
  bool has_ended_ = false;
};

} // namespace roost::testing
