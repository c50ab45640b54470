#include "store/database/sqlite_wal.hpp"

#include "store/database/error.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <utility>

namespace roost::store {

namespace {

using identity = std::pair<unsigned long, unsigned long>; // device and inode

struct file_with_log {
  identity file, log;
};

/// By the file's name, as any session of this process saw them together last.
struct seen_files {
  std::mutex mutex;
  std::map<std::string, file_with_log> all;
};

seen_files& seen() {
  static seen_files files;
  return files;
}

std::optional<identity> identity_of(const std::string& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return std::nullopt;
  return identity{found.st_dev, found.st_ino};
}

} // namespace

bool sqlite_wal::remember(const std::string& file) {
  const auto now = identity_of(file), log = identity_of(file + "-wal");
  if (!now || !log) return false;
  const std::lock_guard guard(seen().mutex);
  seen().all.insert_or_assign(file, file_with_log{*now, *log});
  return true;
}

void sqlite_wal::refuse_foreign(const std::string& file) {
  is_noted_ = false;
  const auto now = identity_of(file), log = identity_of(file + "-wal");
  const std::lock_guard guard(seen().mutex);
  const auto found = seen().all.find(file);
  if (found == seen().all.end() || log != found->second.log || now == found->second.file) return;
  throw unavailable("another file has replaced the store's, and " + file +
                    "-wal still belongs to the previous one: move it and " + file +
                    "-shm to where that file is now");
}

} // namespace roost::store
