#pragma once

#include "actors/bookings/decision_group.hpp"
#include "actors/bookings/outdated_accounts.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_set>

namespace roost::actors {

/// The requests that the queue has read and leaves New: until it starts over, or in the whole run.
class left_out_requests {
public:
  void begin_run() { skipped_.clear(); }
  void start_over() {
    ids_.clear();
    first_ahead_ = std::numeric_limits<std::int64_t>::max();
  }
  /// This server is not the writer.
  void stand_by() { ahead_of_memory_.clear(); }

  /// Leaves a request out for the whole run.
  void skip(const domain::uuid& request) { skipped_.insert(request); }

  /// Removes the requests to leave out, also those of these accounts, which later ones must not overtake.
  void remove_from(next_group& next, const outdated_accounts& outdated, const postponed_changes& postponed) {
    std::erase_if(next.requests, [&](const request_candidates& each) {
      const auto& id = each.pending->request.id;
      const bool is_left_out =
          skipped_.contains(id) || outdated.contain_units_of(each) || postponed.concern(each);
      if (is_left_out) ids_.insert(id);
      return is_left_out;
    });
    for (const auto& request : ahead_of_memory_.remove_from(next)) {
      ids_.insert(request->request.id);
      first_ahead_ = std::min(first_ahead_, request->seq);
    }
  }

  const request_ids& ids() const { return ids_; }

  /// Returns whether a request that arrived before the change waits until memory has followed the store.
  bool has_one_ahead_of_memory(const store::pending_stay_change& change) const {
    return first_ahead_ <= change.after_seq;
  }

private:
  request_ids skipped_, ids_;
  requests_ahead_of_memory ahead_of_memory_;
  std::int64_t first_ahead_ = std::numeric_limits<std::int64_t>::max(); ///< pending_request::seq
};

} // namespace roost::actors
