#pragma once

#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace roost::store {

/// One moment of a store, for reading all of it, however long that takes. When the store stalls or the
/// connection is lost, it is another moment from then on: command_traces tell whether the two are the same.
class snapshot {
public:
  /// `patience` is for each read.
  snapshot(session& db, std::chrono::milliseconds patience) : db_(db), patience_(patience) {}

  session& db() const { return db_; }

  /// As read_patiently().
  void read(const std::function<void()>& meanwhile, const std::function<void()>& run);

private:
  void begin();

  session& db_;
  std::chrono::milliseconds patience_;
  std::optional<transaction> within_;
};

} // namespace roost::store
