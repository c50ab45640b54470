#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/runtime/published.hpp"
#include "domain/booking.hpp"
#include "store/bookings/decisions.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace roost::actors {

/// Decisions that go into one transaction.
struct decision_group {
  std::vector<pending_decision> members;
  std::shared_ptr<store::decision_rows> rows = std::make_shared<store::decision_rows>(); ///< what they write
  store::stream_point followed; ///< memory held every change up to it before the first was decided
  std::uint64_t memory = 0;     ///< which one (replication_position::generation())
  std::shared_ptr<const directory> based_on;

  /// That rests on what memory is now.
  static decision_group upon(const replication_position& followed, const published<directory>& in) {
    decision_group group; // in this order: what memory holds is at least what was followed
    group.memory = followed.generation();
    group.followed = followed.point();
    group.based_on = in.get();
    return group;
  }

  void add(pending_decision decided) {
    rows->add(decided.decision);
    members.push_back(std::move(decided));
  }

  store::decision_basis basis() const {
    store::decision_basis all{followed, {}};
    std::unordered_set<domain::uuid, domain::uuid_hash> seen;
    for (const auto& member : members)
      for (const auto& account : member.accounts)
        if (seen.insert(account).second) all.accounts.push_back(account);
    return all;
  }

  /// Takes out the members that speak of one of these accounts.
  std::vector<pending_decision> take_out(std::span<const domain::uuid> accounts) {
    const auto touches = [&](const pending_decision& member) {
      return std::ranges::find_first_of(member.accounts, accounts) != member.accounts.end();
    };
    std::vector<pending_decision> out;
    rows = std::make_shared<store::decision_rows>();
    for (auto& member : std::exchange(members, {})) {
      if (touches(member))
        out.push_back(std::move(member));
      else
        add(std::move(member));
    }
    return out;
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

  std::vector<domain::uuid> booking_ids() const {
    std::vector<domain::uuid> all;
    for (const auto& member : members)
      if (member.decision.booking) all.push_back(member.decision.booking->id);
    return all;
  }
};

/// Tells those who hold something for a decision what has become of it. A tenant of a decision in doubt stays
/// as it is.
template <typename Self>
void settle(Self* self, const pending_decision& of, hold_outcome fate) {
  if (of.calendar) {
    self->send(*of.calendar, settle_nights{of.decision.booking->id, fate});
    if (fate != hold_outcome::given_up) of.changes->note();
  }
  if (of.account_actor && fate != hold_outcome::in_doubt)
    self->send(*of.account_actor, settle_tenant{of.decision.request_id, fate == hold_outcome::booked});
}

/// One line for a decision that is on disk: what was asked for, and what became of it; without tenant data.
void log_decision(const domain::booking_request& request, const domain::decision& decided);

} // namespace roost::actors
