#pragma once

#include "domain/booking.hpp"
#include "store/audit/audit.hpp"
#include "store/bookings/booking_rows.hpp"
#include "store/bookings/known_tenants.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/divided_write.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace roost::store {

/// A request whose unit is linked under the first part of the request's ID only. The decision is invalid once
/// any unit is linked under the whole ID.
struct property_match {
  std::string platform, external_id; ///< of the request
  domain::uuid account_id{};         ///< one that the decision refers to
};

/// The state of memory on which a group of decisions is based.
struct decision_basis {
  stream_point followed; ///< the change that memory had applied last when the first decision was made
  std::vector<domain::uuid> accounts; ///< whose units, settings or bookings the decisions refer to
  std::vector<property_match> property_matches = {};
};

/// The outcome of writing a group of decisions.
struct recorded_decisions {
  /// Accounts of the basis that have changed since, other than by bookings or new units, and those whose
  /// property matches are invalid. If there are any, nothing was written; decisions that do not refer to them
  /// may be written on their own.
  std::vector<domain::uuid> stale;
  std::optional<stream_point> change; ///< nullopt if no booking was made
};

class decision_rows;

/// A platform's cancellation of what is not decided yet.
struct withdrawal {
  std::string platform, reference;
  /// Returns the requested unit and its landlord; nullopt if they are unknown.
  std::function<std::optional<booked_unit>(const domain::booking_request&)> unit_of;
  /// Returns an entry about a request of this landlord, if known.
  std::function<audit_entry(const domain::uuid& request, const std::optional<domain::uuid>& account)> audit;
};

struct withdrawn_requests {
  std::vector<domain::uuid> ids;
  std::optional<stream_point> freed; ///< the position at which reads show the nights of ended holds as free
};

/// A group of decisions to write.
struct decided_group {
  decision_basis basis;
  std::shared_ptr<const decision_rows> rows;
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
  friend std::optional<recorded_decisions>
  record_locked_decisions(session& db, const lease& held,
                          const std::function<std::optional<decided_group>(std::int64_t newest)>& decide);
  friend void record_refusals(session& db, const decision_rows& rows,
                              const std::function<void()>& before_commit);

  friend withdrawn_requests withdraw_requests(session& db, const lease& held, const withdrawal& by);

  recorded_decisions write(session& db, write_transaction& txn, const decision_basis& basis) const;
  /// A refusal because of nights that are not known yet.
  struct refusal_without_nights {
    domain::uuid request_id{}, unit_id{};
  };

  static void add_taken_nights(session& db, const refusal_without_nights& refused);
  void decide(session& db) const;
  void count_decided(session& db) const;

  cell_list
      outcomes_; ///< a request's id, its new state, the reason of a refusal, its account, unit and nights
  std::vector<refusal_without_nights> without_nights_;
  changed_outcomes reported_;
  std::vector<domain::uuid> with_holds_; ///< requests whose holds end
  std::map<domain::request_state, std::int64_t> totals_;
  std::vector<booked_category> categories_; ///< of known tenants that have none
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

/// Decides and writes a group in one transaction, in which nothing that decisions depend on can change: no
/// other transaction gets a position of the change stream. Calls `decide` with the newest position; it may
/// read from the session and must return within seconds. Writes nothing and returns nullopt if it does.
/// Throws as record_decisions(), and unavailable while an import is pending or if another transaction holds
/// rows that the decisions need: that one may be waiting for this one.
std::optional<recorded_decisions>
record_locked_decisions(session& db, const lease& held,
                        const std::function<std::optional<decided_group>(std::int64_t newest)>& decide);

/// Writes an operator's refusals of New requests in one transaction, without a lease. Throws already_decided,
/// constraint_violated or unavailable; then nothing was written, as in record_decisions().
void record_refusals(session& db, const decision_rows& rows, const std::function<void()>& before_commit);

/// Withdraws a platform's New requests with this reference, so that they are never decided. Later requests
/// with the reference are dropped. Throws already_decided if one is decided concurrently, or lease_lost.
withdrawn_requests withdraw_requests(session& db, const lease& held, const withdrawal& by);

struct stays_advanced {
  std::int64_t checked_in = 0, checked_out = 0;
  std::vector<rejected_item<domain::uuid>> rejected; ///< bookings that the database refused to change
};

/// Advances bookings by date: confirmed ones become checked in on the day of check-in, checked-in ones become
/// checked out on the day of check-out. Updates at most `limit` of each, in one transaction unless the
/// database rejects one, and leaves those that it is known to reject. Throws lease_lost
/// if any other is due.
stays_advanced advance_stays(session& db, const lease& held, domain::date today,
                             std::span<const domain::uuid> known_rejected = {}, std::size_t limit = 10'000);

} // namespace roost::store
