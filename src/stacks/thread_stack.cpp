#include "stacks/thread_stack.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <execinfo.h>
#include <mutex>
#include <semaphore.h>

namespace roost::stacks {

namespace {

constexpr int wanted_signal = SIGURG;
constexpr long patience_ns = 50'000'000;
constexpr std::size_t own_frames = 2; ///< the handler and what the kernel calls it through

/// The one request at a time. The handler touches nothing but this, takes no lock and no memory: backtrace()
/// takes memory only when it is called for the first time, in prepare().
struct request {
  std::atomic<bool> open{false};
  std::atomic<pthread_t> thread{};
  std::array<void*, 64> frames{};
  int count = 0;
  sem_t answered{};
};

request& the_request() {
  static request only;
  return only;
}

std::atomic<request*> asked{nullptr};

extern "C" void roost_take_stack(int) {
  const int kept = errno;
  auto* wanted = asked.load(std::memory_order_acquire);
  if (wanted && pthread_equal(wanted->thread.load(), pthread_self()) && wanted->open.exchange(false)) {
    wanted->count = backtrace(wanted->frames.data(), static_cast<int>(wanted->frames.size()));
    sem_post(&wanted->answered);
  }
  errno = kept;
}

bool wait_for(sem_t& answer) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += patience_ns;
  if (until.tv_nsec >= 1'000'000'000) {
    until.tv_nsec -= 1'000'000'000;
    ++until.tv_sec;
  }
  while (sem_timedwait(&answer, &until) != 0)
    if (errno != EINTR) return false;
  return true;
}

} // namespace

void prepare() {
  static std::once_flag done;
  std::call_once(done, [] {
    void* first[1];
    backtrace(first, 1);
    sem_init(&the_request().answered, 0, 0);
    asked.store(&the_request(), std::memory_order_release);
    struct sigaction action {};
    action.sa_handler = roost_take_stack;
    action.sa_flags = SA_RESTART;
    sigaction(wanted_signal, &action, nullptr);
  });
}

std::vector<void*> stack_of(pthread_t thread) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock{one_at_a_time};
  auto& wanted = the_request();
  wanted.thread.store(thread);
  wanted.open.store(true);
  if (pthread_kill(thread, wanted_signal) != 0) {
    wanted.open.store(false);
    return {};
  }
  if (!wait_for(wanted.answered)) {
    if (wanted.open.exchange(false)) return {}; // its handler will find nothing to do
    while (sem_wait(&wanted.answered) != 0) {
    } // it has begun
  }
  const auto all = static_cast<std::size_t>(wanted.count);
  const auto skipped = std::min(own_frames, all);
  const auto* first = wanted.frames.data();
  std::vector<void*> taken; // braces would make a list of the two ends
  taken.assign(first + skipped, first + all);
  return taken;
}

} // namespace roost::stacks
