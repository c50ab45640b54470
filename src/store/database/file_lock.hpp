#pragma once

#include <string>

namespace roost::store {

/// The operating system's lock on a file next to an SQLite database: `<database><suffix>`. It is never on the
/// database's own file, because closing that would end SQLite's locks. The lock ends with its process, at the
/// latest.
class file_lock {
public:
  file_lock() = default;
  ~file_lock() { release(); }
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

  /// Returns false if another process, or another lock of this one, has it. Throws unavailable if opening or
  /// locking the file fails. Must not be held.
  bool try_take(const std::string& database, const char* suffix);
  /// A no-op if the lock is not held.
  void release() noexcept;

  /// Identifies the locked file while the lock is held: a recreated one has another name.
  const std::string& name() const { return name_; }

private:
  int file_ = -1;
  std::string name_;
};

} // namespace roost::store
