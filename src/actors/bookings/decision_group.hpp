#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "store/bookings/decisions.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace roost::actors {

/// Decisions that go into one transaction.
struct decision_group {
  std::vector<pending_decision> members;
  std::shared_ptr<store::decision_rows> rows = std::make_shared<store::decision_rows>(); ///< what they write
  std::unordered_map<domain::uuid, store::pending_request, domain::uuid_hash> requests;  ///< by id
  std::shared_ptr<const directory> based_on;

  void add(pending_decision decided) {
    rows->add(decided.decision);
    members.push_back(std::move(decided));
  }

  /// In the place of all that was in it.
  void instead(pending_decision decided) {
    members.clear();
    rows = std::make_shared<store::decision_rows>();
    add(std::move(decided));
  }

  std::vector<domain::uuid> request_ids() const {
    std::vector<domain::uuid> all;
    for (const auto& member : members) all.push_back(member.decision.request_id);
    return all;
  }
};

/// Tells those who hold something for a decision what has become of it. A tenant of a decision in doubt stays
/// as it is.
template <typename Self>
void settle(Self* self, const pending_decision& of, nights_fate fate) {
  if (of.calendar) {
    self->send(*of.calendar, settle_nights{of.decision.booking->id, fate});
    if (fate != nights_fate::given_up) of.changes->note();
  }
  if (of.account_actor && fate != nights_fate::in_doubt)
    self->send(*of.account_actor, settle_tenant{of.decision.request_id, fate == nights_fate::booked});
}

} // namespace roost::actors
