#include "store/database/file_lock.hpp"

#include "store/database/error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace roost::store {

namespace {

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

} // namespace roost::store
