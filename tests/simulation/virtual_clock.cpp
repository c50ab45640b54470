#include "simulation/virtual_clock.hpp"

#include <openssl/rand.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <random>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace roost::testing::virtual_clock {

namespace {

using std::chrono::nanoseconds;

/// A simulation begins on a day in 2026, one day after the machine has booted.
constexpr nanoseconds boot_age = std::chrono::hours{24};
constexpr nanoseconds epoch = std::chrono::seconds{1'795'000'000};

bool running = false;
nanoseconds monotonic = boot_age;
nanoseconds calendar_ahead = epoch - boot_age;
std::mt19937_64 random_source; // NOLINT(cert-msc32-c,cert-msc51-cpp): start() seeds it

/// Converts a time that is not negative. Avoids library functions, which debug builds do not inline: a
/// history reads the clocks a hundred thousand times.
timespec to_timespec(nanoseconds time) {
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t count = time.count();
  return {static_cast<std::time_t>(count / second), static_cast<long>(count % second)};
}

bool is_calendar(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

bool is_processor_time(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

int read(clockid_t clock, timespec* time) {
  if (!running || is_processor_time(clock)) return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  *time = to_timespec(is_calendar(clock) ? monotonic + calendar_ahead : monotonic);
  return 0;
}

} // namespace

void start(std::uint64_t seed) {
  random_source.seed(seed);
  running = true;
}

nanoseconds real_time() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return std::chrono::seconds{now.tv_sec} + nanoseconds{now.tv_nsec};
}

void advance_to(std::chrono::steady_clock::time_point time) {
  if (time.time_since_epoch() > monotonic) monotonic = time.time_since_epoch();
}

void shift_calendar(nanoseconds by) { calendar_ahead += by; }

namespace {

int fill(unsigned char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(random_source());
  return 1;
}

} // namespace

// These definitions replace those of the system libraries in the whole program.
extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept { return read(clock, time); }

int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  read(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

std::time_t time(std::time_t* result) noexcept {
  timespec now{};
  read(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

/// Fails, so that Asio compares its timers with the clock in each poll.
int timerfd_create(int, int) noexcept {
  errno = ENOSYS;
  return -1;
}

int RAND_bytes(unsigned char* bytes, int size) { return fill(bytes, static_cast<std::size_t>(size)); }
}

} // namespace roost::testing::virtual_clock
