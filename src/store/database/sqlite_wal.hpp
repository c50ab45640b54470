#pragma once

#include <optional>
#include <string>
#include <utility>

namespace roost::store {

/// The write-ahead log beside an SQLite file. It belongs to one file: beside another one SQLite would take
/// pages of the wrong database from it. So after the file was replaced under a running server, a log that was
/// left behind is not touched, and nothing is opened beside it.
class sqlite_wal {
public:
  /// The log that is beside the open file now is its own. It costs one look; later ones cost none.
  void note(const std::string& file) {
    if (!own_) own_ = identity_of(file);
  }

  /// Another file is in that place: what was noted is the former one's.
  void file_was_replaced() { foreign_ = std::exchange(own_, std::nullopt); }

  /// Before a file is opened. Throws unavailable while a former file's log lies beside it.
  void refuse_foreign(const std::string& file);

private:
  using identity = std::pair<unsigned long, unsigned long>; ///< device and inode

  static std::optional<identity> identity_of(const std::string& file);

  std::optional<identity> own_, foreign_;
};

} // namespace roost::store
