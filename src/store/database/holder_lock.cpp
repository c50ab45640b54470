#include "store/database/holder_lock.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace roost::store {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds watch_interval = 50ms;
constexpr std::chrono::milliseconds certainty_per_check = 250ms;
/// The certainty of a check plus the time that the end of a connection takes to arrive.
constexpr std::chrono::milliseconds database_grace = 300ms;

/// Advisory locks belong to a database, so the table's id distinguishes several schemas. The upper half of
/// the key avoids collisions with other programs. The lock is taken only in the session that was announced to
/// this connection: a pooler announces process ids of its own, and may share a session between clients, in
/// which the lock is re-entrant.
const selection take_advisory_lock{
    "take_holder_lock",
    {"select {columns}", "select {columns}"},
    named<bool>("pg_backend_pid() <> cast(:announced as integer)"),
    named<bool>("case when pg_backend_pid() = cast(:announced as integer)"
                " then pg_try_advisory_lock((cast(1380929363 as bigint) << 32)"
                " + cast(cast(cast('writer_lease' as regclass) as oid) as bigint)) else false end"),
    named<std::string>("cast(extract(epoch from pg_postmaster_start_time()) as text)")};

/// Lets the database server detect a vanished host quickly (its default is two hours) and allows the
/// connection to stay idle.
constexpr const char* keep_alive =
    "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;"
    " set idle_session_timeout = 0";

[[noreturn]] void throw_errno(const std::string& path) {
  throw unavailable("the lock file of the store, " + path + ": " + std::generic_category().message(errno) +
                    (errno == EACCES ? "; give it to the server's user" : ""));
}

std::string name_of(const struct stat& file) {
  return "file " + std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

/// Gives the file to the owner of the database, so that a command of root does not lock out the server's
/// user.
void give_to_owner(int file, const std::string& database) {
  struct stat owned {};
  if (geteuid() != 0 || stat(database.c_str(), &owned) != 0) return;
  [[maybe_unused]] const int result = fchown(file, owned.st_uid, owned.st_gid); // else it stays root's
}

} // namespace

bool file_lock::try_take(const std::string& database, const char* suffix) {
  const auto path = std::filesystem::weakly_canonical(database).string() + suffix;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (file < 0) throw_errno(path);
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    const int fault = errno;
    close(file);
    if (fault == EWOULDBLOCK) return false;
    errno = fault;
    throw_errno(path);
  }
  struct stat locked {
  }, current{};
  const bool in_place = fstat(file, &locked) == 0 && stat(path.c_str(), &current) == 0 &&
                        locked.st_ino == current.st_ino && locked.st_dev == current.st_dev;
  if (!in_place) { // deleted in between: the next attempt creates another
    close(file);
    return false;
  }
  give_to_owner(file, database);
  file_ = file;
  name_ = name_of(locked);
  return true;
}

void file_lock::release() noexcept {
  if (file_ >= 0) close(file_);
  file_ = -1;
  name_.clear();
}

/// A thread that watches the connection of the lock without using it, because its owner may be in the middle
/// of a call.
class holder_lock::connection_watch {
public:
  connection_watch(int socket, std::shared_ptr<lock_certainty> certainty)
      : socket_(fcntl(socket, F_DUPFD_CLOEXEC, 0)), stop_(eventfd(0, EFD_CLOEXEC)),
        certainty_(std::move(certainty)) {
    try {
      if (socket_ < 0 || stop_ < 0) throw std::system_error(errno, std::generic_category());
      thread_ = std::thread{[this] { watch(); }};
    } catch (const std::system_error& fault) {
      close_both();
      throw unavailable("cannot watch the lock's connection: " + fault.code().message());
    }
  }

  ~connection_watch() {
    eventfd_write(stop_, 1);
    thread_.join();
    close_both();
  }

  connection_watch(const connection_watch&) = delete;
  connection_watch& operator=(const connection_watch&) = delete;

private:
  void watch() {
    for (;;) {
      const auto before = lock_certainty::clock::now();
      std::array<pollfd, 2> both{pollfd{socket_, POLLRDHUP, 0}, pollfd{stop_, POLLIN, 0}};
      const int events = poll(both.data(), both.size(), static_cast<int>(watch_interval.count()));
      if (events < 0 && errno == EINTR) continue;
      if (events != 0) break; // the connection has ended, or the watch must stop
      certainty_->extend_until(before + certainty_per_check);
    }
    certainty_->end();
  }

  void close_both() const {
    if (socket_ >= 0) close(socket_);
    if (stop_ >= 0) close(stop_);
  }

  const int socket_, stop_;
  const std::shared_ptr<lock_certainty> certainty_;
  std::thread thread_;
};

holder_lock::holder_lock(const std::string& url) : db_(url) {}

holder_lock::~holder_lock() { release(); }

bool holder_lock::try_take() {
  if (is_held()) return true;
  if (certainty_) release(); // its connection is lost
  return db_.is_sqlite() ? take_file() : take_in_database();
}

void holder_lock::release() noexcept {
  watch_.reset();
  if (certainty_) certainty_->end();
  certainty_.reset();
  name_.clear();
  file_.release();
  if (!db_.is_sqlite()) db_.internals().disconnect();
}

std::chrono::milliseconds holder_lock::grace() const { return db_.is_sqlite() ? 0ms : database_grace; }

bool holder_lock::take_file() {
  if (!file_.try_take(db_.internals().file(), ".lock")) return false;
  name_ = file_.name();
  certainty_ = std::make_shared<lock_certainty>();
  certainty_->extend_until(lock_certainty::clock::time_point::max());
  return true;
}

bool holder_lock::take_in_database() {
  auto& connection = db_.internals();
  if (connection.socket() < 0) connection.script("keep_alive", keep_alive);
  bool taken = false;
  std::string server_run;
  const auto before = lock_certainty::clock::now();
  const parameters session{{"announced", connection.announced_process()}};
  connection.read(take_advisory_lock, session, [&](bool pooled, bool acquired, std::string started) {
    is_pooled_ = pooled;
    taken = acquired;
    server_run = std::move(started);
  });
  if (!taken) return false;
  auto certainty = std::make_shared<lock_certainty>();
  certainty->extend_until(before + certainty_per_check);
  watch_ = std::make_unique<connection_watch>(connection.socket(), certainty);
  certainty_ = std::move(certainty);
  name_ = "server " + server_run;
  return true;
}

} // namespace roost::store
