#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace roost::testing {

/// A function with a stack of its own, which can wait in the middle while the only thread does something
/// else.
class fiber {
public:
  explicit fiber(std::function<void()> function);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Runs the function until it waits or ends. It must have ended when the fiber is destroyed.
  void resume();
  bool has_ended() const { return has_ended_; }

  /// Returns the fiber that runs; null: none does.
  static fiber* current();

  /// Returns to the caller of resume(). To be called by the fiber's own function.
  void wait();

private:
  struct exceptions; ///< that are being handled, which the library keeps for each thread

  static void run();
  void swap(ucontext_t& from, const ucontext_t& to);

  std::function<void()> function_;
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t own_{}, outer_{};
  fiber* outer_fiber_ = nullptr;
  bool has_ended_ = false;
};

} // namespace roost::testing
