#include "stacks/thread_stack.hpp"

#include <array>
#include <atomic>
#include <backtrace.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <cxxabi.h>
#include <execinfo.h>
#include <memory>
#include <mutex>
#include <semaphore.h>
#include <string_view>

namespace roost::stacks {

namespace {

constexpr int stack_signal = SIGURG;
constexpr long timeout_ns = 50'000'000;
constexpr std::size_t own_frames = 2; ///< the handler and the frame through which the kernel calls it

/// The only request. The handler touches nothing else, takes no lock and does not allocate: backtrace()
/// allocates only on its first call, which is in prepare().
struct stack_request {
  std::atomic<bool> open{false};
  std::atomic<pthread_t> thread{};
  std::array<void*, 64> frames{};
  int count = 0;
  sem_t done{};
};

stack_request& the_request() {
  static stack_request only;
  return only;
}

std::atomic<stack_request*> current{nullptr};

extern "C" void roost_take_stack(int) {
  const int saved_errno = errno;
  auto* request = current.load(std::memory_order_acquire);
  if (request && pthread_equal(request->thread.load(), pthread_self()) && request->open.exchange(false)) {
    request->count = backtrace(request->frames.data(), static_cast<int>(request->frames.size()));
    sem_post(&request->done);
  }
  errno = saved_errno;
}

bool wait_for(sem_t& done) {
  timespec deadline{};
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += timeout_ns;
  if (deadline.tv_nsec >= 1'000'000'000) {
    deadline.tv_nsec -= 1'000'000'000;
    ++deadline.tv_sec;
  }
  while (sem_timedwait(&done, &deadline) != 0)
    if (errno != EINTR) return false;
  return true;
}

constexpr std::size_t max_names = 24;
constexpr std::size_t max_name_length = 160;

void ignore_error(void*, const char*, int) {}

backtrace_state* program_state() {
  static auto* state = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
  return state;
}

/// Truncates a name: parameters and template arguments are long and say little about where a thread hangs.
std::string shortened(std::string name) {
  if (name.size() > max_name_length) name.replace(max_name_length, std::string::npos, "...");
  return name;
}

std::string location_of(const char* file, int line) {
  const std::string_view path{file};
  return " (" + std::string{path.substr(path.rfind('/') + 1)} + ":" + std::to_string(line) + ")";
}

int take_line(void* names, std::uintptr_t, const char* file, int line, const char* function) {
  if (!function) return 0;
  auto name = shortened(readable_name(function));
  if (file) name += location_of(file, line);
  static_cast<std::vector<std::string>*>(names)->push_back(std::move(name));
  return 0;
}

void take_symbol(void* names, std::uintptr_t, const char* name, std::uintptr_t, std::uintptr_t) {
  if (name) static_cast<std::vector<std::string>*>(names)->push_back(shortened(readable_name(name)));
}

/// Looks up the call, which precedes the return address.
std::vector<std::string> names_at(void* address) {
  std::vector<std::string> names;
  const auto pc = reinterpret_cast<std::uintptr_t>(address) - 1;
  backtrace_pcinfo(program_state(), pc, take_line, ignore_error, &names);
  if (names.empty()) backtrace_syminfo(program_state(), pc, take_symbol, ignore_error, &names);
  if (names.empty()) names.emplace_back("?");
  return names;
}

} // namespace

void prepare() {
  static std::once_flag prepared;
  std::call_once(prepared, [] {
    void* first[1];
    backtrace(first, 1);
    sem_init(&the_request().done, 0, 0);
    current.store(&the_request(), std::memory_order_release);
    struct sigaction action {};
    action.sa_handler = roost_take_stack;
    action.sa_flags = SA_RESTART;
    sigaction(stack_signal, &action, nullptr);
  });
}

std::vector<void*> stack_of(pthread_t thread) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock{one_at_a_time};
  auto& request = the_request();
  request.thread.store(thread);
  request.open.store(true);
  if (pthread_kill(thread, stack_signal) != 0) {
    request.open.store(false);
    return {};
  }
  if (!wait_for(request.done)) {
    if (request.open.exchange(false)) return {}; // the handler will find no open request
    while (sem_wait(&request.done) != 0) {
    } // the handler is running
  }
  const auto count = static_cast<std::size_t>(request.count);
  const auto skipped = std::min(own_frames, count);
  const auto* frames = request.frames.data();
  std::vector<void*> stack; // braces would make a list of the two iterators
  stack.assign(frames + skipped, frames + count);
  return stack;
}

std::string readable_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name{
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free};
  return status == 0 ? name.get() : mangled;
}

std::vector<std::string> names_of(const std::vector<void*>& addresses) {
  std::vector<std::string> names;
  for (auto* address : addresses) {
    for (auto& name : names_at(address)) names.push_back(std::move(name));
    if (names.size() < max_names) continue;
    names.resize(max_names);
    break;
  }
  return names;
}

} // namespace roost::stacks
