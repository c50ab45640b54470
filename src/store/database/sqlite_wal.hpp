#pragma once

#include <string>

namespace roost::store {

/// The write-ahead log of an SQLite file. SQLite would read pages of the wrong database from the log of
/// another file. So after the file was replaced under a running server, no session of the process touches a
/// log that was left behind, or opens the new file next to it.
class sqlite_wal {
public:
  /// Remembers that the current log belongs to the open file. Cheap after the first success.
  void remember(const std::string& file) {
    if (!is_remembered_) is_remembered_ = try_remember(file);
  }

  /// Must be called before opening a file. Throws unavailable while the log of a previous file is next to it.
  void refuse_foreign(const std::string& file);

private:
  /// Returns false if there is no log yet.
  static bool try_remember(const std::string& file);

  bool is_remembered_ = false; ///< since the file was opened
};

} // namespace roost::store
