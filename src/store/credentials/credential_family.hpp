#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <optional>
#include <vector>

namespace roost::store {

/// The credentials of one kind. What changes them is one transaction and returns its place in the stream of
/// changes, for a command that waits until a running server has taken the change up.
template <typename Record>
struct credential_family {
  /// Throws constraint_violated when a row's key or hash exists already, or what it belongs to does not.
  static stream_point insert(session& db, const Record& entry);
  /// Nothing: there is no such credential, or it has ended.
  static std::optional<stream_point> end(session& db, const domain::uuid& id, domain::timestamp now);
  static std::vector<Record> all(session& db); ///< the newest first
  /// Those that have not ended, nor expired where they can; the newest first.
  static std::vector<Record> live(session& db, domain::timestamp now);
};

} // namespace roost::store
