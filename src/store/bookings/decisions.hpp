#pragma once

#include "domain/booking.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

namespace roost::store {

/// A tenant's row, created with the first booking.
struct new_tenant {
  const domain::tenant* tenant;
  domain::timestamp created_at;
};

/// The state of memory on which a group of decisions is based.
struct decision_basis {
  stream_point followed; ///< the change that memory had applied last when the first decision was made
  std::vector<domain::uuid> accounts; ///< whose units, settings or bookings the decisions refer to
};

/// The outcome of writing a group of decisions.
struct recorded_decisions {
  /// Accounts of the basis that have changed since, other than by bookings. If there are any, nothing was
  /// written; decisions that do not refer to them may be written on their own.
  std::vector<domain::uuid> stale;
  std::optional<stream_point> change; ///< nullopt if no booking was made
};

/// The rows that a group of decisions writes, built before the transaction to keep it short.
class decision_rows {
public:
  decision_rows();
  explicit decision_rows(std::span<const domain::decision> decisions);

  void add(const domain::decision& decision);

private:
  friend recorded_decisions record_decisions(session& db, const lease& held, const decision_basis& basis,
                                             const decision_rows& rows);

  void decide(session& db) const;
  void count_decided(session& db) const;

  cell_list outcomes_; ///< a request's id, its new state and the reason of a refusal
  std::map<domain::request_state, std::int64_t> totals_;
  std::vector<parameters> categories_; ///< of known tenants that have none
  bulk_rows<new_tenant> tenants_;
  bulk_rows<domain::booking> bookings_;
  message_rows messages_;
  change change_{change_kind::calendar, {}, {}, {}};
  std::unordered_set<domain::uuid, domain::uuid_hash> changed_; ///< the change's accounts
};

/// Writes all effects of these decisions in one transaction. Throws lease_lost, another_history,
/// already_decided, constraint_violated or unavailable. Then nothing was written, except perhaps if
/// unavailable reports that the commit is uncertain.
recorded_decisions record_decisions(session& db, const lease& held, const decision_basis& basis,
                                    const decision_rows& rows);

struct stays_advanced {
  std::int64_t checked_in = 0, checked_out = 0;
};

/// Advances bookings by date: confirmed ones become checked in on the day of check-in, checked-in ones become
/// checked out on the day of check-out. Updates at most `limit` of each. Throws lease_lost.
stays_advanced advance_stays(session& db, const lease& held, domain::date today, std::size_t limit = 10'000);

} // namespace roost::store
