#include "simulation/fiber.hpp"

#include <cstddef>
#include <cstring>
#include <cxxabi.h>
#include <utility>

namespace roost::testing {

namespace {

constexpr std::size_t stack_size = 512UL * 1024;

fiber* running_fiber = nullptr;

} // namespace

/// The layout that the Itanium C++ ABI defines.
struct fiber::exceptions {
  void* caught;
  unsigned uncaught;
};

fiber::fiber(std::function<void()> function)
    : function_(std::move(function)), stack_(new std::byte[stack_size]) {
  ::getcontext(&own_);
  own_.uc_stack.ss_sp = stack_.get();
  own_.uc_stack.ss_size = stack_size;
  own_.uc_link = nullptr;
  ::makecontext(&own_, &fiber::run, 0);
}

fiber* fiber::current() { return running_fiber; }

void fiber::resume() {
  outer_fiber_ = std::exchange(running_fiber, this);
  swap(outer_, own_);
}

void fiber::wait() {
  running_fiber = outer_fiber_;
  swap(own_, outer_);
}

void fiber::run() {
  auto& self = *running_fiber;
  self.function_();
  self.has_ended_ = true;
  self.wait();
}

void fiber::swap(ucontext_t& from, const ucontext_t& to) {
  exceptions saved{};
  auto* const live = abi::__cxa_get_globals();
  std::memcpy(&saved, live, sizeof saved);
  ::swapcontext(&from, &to);
  std::memcpy(live, &saved, sizeof saved);
}

} // namespace roost::testing
