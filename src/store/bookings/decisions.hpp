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

/// A tenant's row, made with the first booking.
struct new_tenant {
  const domain::tenant* tenant;
  domain::timestamp created_at;
};

/// What the decisions of a group rest on.
struct decision_basis {
  stream_point followed; ///< up to which memory had taken up the changes when the first was decided
  std::vector<domain::uuid> accounts; ///< whose units, settings or bookings they speak of
};

/// What became of a group of decisions.
struct recorded_decisions {
  /// Accounts of the basis that have changed meanwhile, other than by bookings. When there are any, nothing
  /// was written: what does not speak of them may be written without the rest.
  std::vector<domain::uuid> stale;
  std::optional<stream_point> change; ///< none where no booking was made
};

/// The rows that decisions write. They are made before the transaction, which then takes only the time that
/// the database needs.
class decision_rows {
public:
  decision_rows();
  explicit decision_rows(std::span<const domain::decision> decisions);

  void add(const domain::decision& made);

private:
  friend recorded_decisions record_decisions(session& db, const lease& held, const decision_basis& basis,
                                             const decision_rows& rows);

  /// For a known tenant that had none.
  struct category_given {
    cell tenant, account, category;
  };

  void decide(session& db) const;
  void set_categories(session& db) const;
  void count_decided(session& db) const;

  cell_list outcomes_; ///< a request's id, its new state and the reason of a refusal
  std::map<domain::request_state, std::int64_t> totals_;
  std::vector<category_given> categories_;
  bulk_rows<new_tenant> tenants_;
  bulk_rows<domain::booking> bookings_;
  message_rows messages_;
  change change_{change_kind::calendar, {}, {}, {}};
  std::unordered_set<domain::uuid, domain::uuid_hash> changed_; ///< the change's accounts
};

/// Writes everything that follows from these decisions in one transaction. Throws lease_lost,
/// another_history, already_decided, constraint_violated, or unavailable; nothing was written then, except
/// perhaps when unavailable says that the commit is uncertain.
recorded_decisions record_decisions(session& db, const lease& held, const decision_basis& basis,
                                    const decision_rows& rows);

struct stays_advanced {
  std::int64_t checked_in = 0, checked_out = 0;
};

/// Moves bookings along on their dates: confirmed to checked in from the day of check-in, checked in to
/// checked out from the day of check-out. At most `limit` of each; throws lease_lost.
stays_advanced advance_stays(session& db, const lease& held, domain::date today, std::size_t limit = 10'000);

} // namespace roost::store
