#include "simulation/store_faults.hpp"

#include "simulation/virtual_clock.hpp"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <set>
#include <sqlite3.h>
#include <stdexcept>
#include <string_view>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace roost::testing::store_faults {

namespace {

fault next_fault = fault::none;
late_outcome next_late;
std::uint64_t fired_faults = 0;
std::function<void()> advance_during_hang;
std::function<bool()> read_fails;
bool (*commit_observer)() = nullptr;
bool (*sleep_observer)(std::chrono::nanoseconds) = nullptr;

std::set<int>& logs() {
  static std::set<int> descriptors;
  return descriptors;
}

/// Disarms and counts the armed fault if it is of this kind. Returns whether it was.
bool fires(fault kind) {
  if (next_fault != kind) return false;
  next_fault = fault::none;
  ++fired_faults;
  return true;
}

using open_function = int (*)(const char*, int, int);
using write_function = ssize_t (*)(int, const void*, std::size_t, off_t);
open_function real_open = nullptr;
write_function real_write = nullptr;
using read_function = ssize_t (*)(int, void*, std::size_t, off_t);
read_function real_read = nullptr;

int open_file(const char* path, int flags, int mode) {
  const int descriptor = real_open(path, flags, mode);
  if (descriptor < 0) return descriptor;
  if (std::string_view(path).ends_with("-wal"))
    logs().insert(descriptor);
  else
    logs().erase(descriptor);
  return descriptor;
}

ssize_t write_file(int descriptor, const void* data, std::size_t size, off_t offset) {
  if (logs().contains(descriptor) && fires(fault::full_disk)) {
    errno = ENOSPC;
    return -1;
  }
  return real_write(descriptor, data, size, offset);
}

ssize_t read_file(int descriptor, void* data, std::size_t size, off_t offset) {
  const bool fails = read_fails && read_fails();
  if (fails) ++fired_faults;
  if (fails || fires(fault::failed_read)) {
    errno = EIO;
    return -1;
  }
  return real_read(descriptor, data, size, offset);
}

/// Replaces file locks, which protect only against other processes: no other process uses the store.
int lock_file(int descriptor, int command, struct flock* lock) {
  if (command == F_GETLK) lock->l_type = F_UNLCK;
  return command == F_GETLK || command == F_SETLK ? 0 : ::fcntl(descriptor, command, lock);
}

/// Called after each commit. The library reports the result as that of the commit.
int after_commit(void*, sqlite3* connection, const char* schema, int pages) {
  constexpr int pages_until_checkpoint =
      1'000; // the library's default; this hook replaces the one that applies it
  if (fires(fault::lost_response)) return SQLITE_IOERR;
  if (commit_observer != nullptr && !commit_observer()) return SQLITE_IOERR;
  if (pages >= pages_until_checkpoint) sqlite3_wal_checkpoint(connection, schema);
  return SQLITE_OK;
}

/// Installs the hook before the first statement, because the library installs its own when it has opened the
/// file.
int before_statement(unsigned, void* connection, void*, void*) {
  auto* const opened = static_cast<sqlite3*>(connection);
  sqlite3_wal_hook(opened, after_commit, nullptr);
  sqlite3_trace_v2(opened, 0, nullptr, nullptr);
  return 0;
}

int on_open(sqlite3* connection, char**, const sqlite3_api_routines*) {
  sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, before_statement, connection);
  return SQLITE_OK;
}

/// Replaces one of the library's system calls and stores the original. A no-op if the library lacks that
/// call.
template <typename Function>
void replace(const char* name, Function function, Function& original) {
  auto* const system = sqlite3_vfs_find("unix");
  auto* const found = system->xGetSystemCall(system, name);
  if (found == nullptr) return;
  original = reinterpret_cast<Function>(found);
  system->xSetSystemCall(system, name, reinterpret_cast<sqlite3_syscall_ptr>(function));
}

} // namespace

void install() {
  // A single thread needs no locks; memory statistics only cost time.
  sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_initialize();
  replace("open", open_file, real_open);
  for (const auto* name : {"pwrite", "pwrite64"}) replace(name, write_file, real_write);
  for (const auto* name : {"pread", "pread64"}) replace(name, read_file, real_read);
  auto* const system = sqlite3_vfs_find("unix");
  system->xSetSystemCall(system, "fcntl", reinterpret_cast<sqlite3_syscall_ptr>(lock_file));
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(on_open));
}

void arm(fault next, late_outcome late) {
  next_fault = next;
  next_late = late;
}

void fail_reads_if(std::function<bool()> fails) { read_fails = std::move(fails); }

void on_hang(std::function<void()> advance_time) { advance_during_hang = std::move(advance_time); }

std::uint64_t fault_count() { return fired_faults; }
void observe_commits(bool (*observer)()) { commit_observer = observer; }

void observe_sleeps(bool (*observer)(std::chrono::nanoseconds)) { sleep_observer = observer; }

namespace {

/// Advances the clock when the library or its user waits for a lock. No other thread could release the lock,
/// so only a late commit is continued.
void wait_for_lock(std::chrono::nanoseconds time) {
  virtual_clock::advance_to(std::chrono::steady_clock::now() + time);
  advance_late_commit();
}

} // namespace

// These definitions replace those of the system libraries in the whole program.
extern "C" {

int fdatasync(int descriptor) {
  if (!logs().contains(descriptor)) return 0;
  if (fires(fault::hang)) advance_during_hang();
  const bool is_late = fires(fault::late_commit);
  if (is_late) begin_late_commit(next_late);
  if (!is_late && !fires(fault::failed_sync))
    return 0; // a simulated crash loses no page of the operating system
  errno = EIO;
  return -1;
}

int usleep(useconds_t microseconds) {
  wait_for_lock(std::chrono::microseconds{microseconds});
  return 0;
}

/// Waits of decisions under a lock would need other threads, so they time out immediately, and the decisions
/// are made without the lock.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  using function = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  static const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "pthread_cond_clockwait"));
  if (::gettid() != ::getpid()) return real(condition, mutex, clock, until);
  virtual_clock::advance_to(std::chrono::steady_clock::time_point{std::chrono::seconds{until->tv_sec} +
                                                                  std::chrono::nanoseconds{until->tv_nsec}});
  return ETIMEDOUT;
}

int nanosleep(const timespec* time, timespec* rest) {
  const bool is_log = ::gettid() != ::getpid(); // the log has the only other thread
  if (is_log) return static_cast<int>(syscall(SYS_nanosleep, time, rest));
  const auto asleep = std::chrono::seconds{time->tv_sec} + std::chrono::nanoseconds{time->tv_nsec};
  if (sleep_observer == nullptr || !sleep_observer(asleep)) wait_for_lock(asleep);
  return 0;
}
}

} // namespace roost::testing::store_faults
