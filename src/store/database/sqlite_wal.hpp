#pragma once

#include <string>

namespace roost::store {

/// The write-ahead log beside an SQLite file. It belongs to one file: beside another one SQLite would take
/// pages of the wrong database from it. So after the file was replaced under a running server, a log that was
/// left behind is not touched, and nothing is opened beside it: neither by the sessions that had the former
/// file open nor by the process's others.
class sqlite_wal {
public:
  /// The log that is beside the open file now is its own. It costs two looks; later ones cost none.
  void note(const std::string& file) {
    if (!is_noted_) is_noted_ = remember(file);
  }

  /// Before a file is opened. Throws unavailable while a former file's log lies beside it.
  void refuse_foreign(const std::string& file);

private:
  /// False when there is no log yet.
  static bool remember(const std::string& file);

  bool is_noted_ = false; ///< since the file was opened
};

} // namespace roost::store
