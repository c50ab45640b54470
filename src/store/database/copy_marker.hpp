#pragma once

#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <cstdint>
#include <optional>

/// The mark of a store into which another one is being copied, or which such a copy has left unfinished.
namespace roost::store {

struct copy_marker {
  /// `differs`: a comparison has found differences, so what was copied is of no use.
  enum class state { copying, differs };

  state now = state::copying;
  stream_point source;    ///< the source's newest change when the copy began
  std::int64_t epoch = 0; ///< of the source's lease, as the copy that came last has held it
};

std::optional<copy_marker> read_copy_marker(session& db);

/// Throws unfinished_copy.
void refuse_unfinished_copy(session& db);

} // namespace roost::store
