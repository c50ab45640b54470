#include "store/database/sqlite_wal.hpp"

#include "store/database/error.hpp"

#include <sys/stat.h>

namespace roost::store {

std::optional<sqlite_wal::identity> sqlite_wal::identity_of(const std::string& file) {
  struct stat found {};
  if (::stat((file + "-wal").c_str(), &found) != 0) return std::nullopt;
  return identity{found.st_dev, found.st_ino};
}

void sqlite_wal::refuse_foreign(const std::string& file) {
  own_.reset();
  if (!foreign_) return;
  if (identity_of(file) == foreign_)
    throw unavailable("another file is in the place of the store's, and " + file +
                      "-wal still belongs to the former one: move it and " + file +
                      "-shm to where that file is now");
  foreign_.reset();
}

} // namespace roost::store
