#include "store/database/sqlite_wal.hpp"

#include "store/database/error.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <utility>

namespace roost::store {

namespace {

using inode = std::pair<unsigned long, unsigned long>; // device and inode

struct file_with_log {
  inode file, log;
};

/// The last file and log that a session of this process saw together, by file name.
struct file_registry {
  std::mutex mutex;
  std::map<std::string, file_with_log> files;
};

file_registry& registry() {
  static file_registry instance;
  return instance;
}

std::optional<inode> identity_of(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return inode{status.st_dev, status.st_ino};
}

} // namespace

bool sqlite_wal::try_remember(const std::string& file) {
  const auto current = identity_of(file), log = identity_of(file + "-wal");
  if (!current || !log) return false;
  const std::lock_guard guard(registry().mutex);
  registry().files.insert_or_assign(file, file_with_log{*current, *log});
  return true;
}

void sqlite_wal::refuse_foreign(const std::string& file) {
  is_remembered_ = false;
  const auto current = identity_of(file), log = identity_of(file + "-wal");
  const std::lock_guard guard(registry().mutex);
  const auto it = registry().files.find(file);
  if (it == registry().files.end() || log != it->second.log || current == it->second.file) return;
  throw unavailable("another file has replaced the store's, and " + file +
                    "-wal still belongs to the previous one: move it and " + file +
                    "-shm to where that file is now");
}

} // namespace roost::store
