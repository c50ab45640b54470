#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/runtime/published.hpp"
#include "domain/booking.hpp"
#include "store/bookings/decisions.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace roost::actors {

/// Decisions that are written in one transaction.
struct decision_group {
  std::vector<pending_decision> members;
  std::shared_ptr<store::decision_rows> rows =
      std::make_shared<store::decision_rows>(); ///< the rows to write
  store::stream_point followed; ///< memory held all changes up to it before the first decision
  std::uint64_t memory = 0;     ///< its replication_position::generation()
  std::shared_ptr<const directory> based_on;

  /// Returns an empty group whose decisions will be based on the current memory.
  static decision_group based_on_memory(const replication_position& followed,
                                        const published<directory>& in) {
    decision_group group; // the order matters: the directory is at least as new as the position
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
    for (const auto& member : members) {
      for (const auto& account : member.accounts)
        if (seen.insert(account).second) all.accounts.push_back(account);
      const auto& request = member.request->request;
      if (member.is_property_match)
        all.property_matches.push_back({request.platform, request.external_id, member.accounts.front()});
    }
    return all;
  }

  /// Removes and returns the members that involve one of these accounts.
  std::vector<pending_decision> remove_members_of(std::span<const domain::uuid> accounts) {
    const auto touches = [&](const pending_decision& member) {
      return std::ranges::find_first_of(member.accounts, accounts) != member.accounts.end();
    };
    std::vector<pending_decision> removed;
    rows = std::make_shared<store::decision_rows>();
    for (auto& member : std::exchange(members, {})) {
      if (touches(member))
        removed.push_back(std::move(member));
      else
        add(std::move(member));
    }
    return removed;
  }

  /// Replaces all members by one.
  void replace_all(pending_decision decided) {
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

/// A group to be built, and the requests to decide for it.
struct next_group {
  decision_group group;
  std::vector<request_candidates> requests;
  /// The position of the newest change of the portfolio, read after the requests; 0 if all have candidates.
  std::int64_t portfolio_position = 0;
};

/// The requests without a unit that must stay New until memory holds every change of the portfolio that
/// preceded them: a change that memory does not hold yet may have linked the unit.
class requests_ahead_of_memory {
public:
  /// Removes such requests from those to decide; a later group has them again.
  void remove_from(next_group& next);
  void clear() { positions_.clear(); }

private:
  /// The position that memory must reach before each request is decided.
  std::unordered_map<domain::uuid, std::int64_t, domain::uuid_hash> positions_;
  std::uint64_t memory_ = 0; ///< the replication_position::generation() of the positions
};

/// Reads at most `limit` New requests after `after_seq`, of the platforms that this process may decide, and
/// resolves them in the current directory. Returns an empty result while there is no directory.
next_group load_group(store::session& db, const replication_position& followed,
                      const published<directory>& in, const platform_list& platforms, std::int64_t after_seq,
                      std::size_t limit);

/// Sends the outcome to the actors that hold nights or a tenant for a decision. The tenant of a decision in
/// doubt stays held.
template <typename Self>
void settle(Self* self, const pending_decision& decision, hold_outcome outcome) {
  if (decision.calendar) {
    self->send(*decision.calendar, settle_nights{decision.decision.booking->id, outcome});
    if (outcome != hold_outcome::given_up) decision.changes->note();
  }
  if (decision.account_actor && outcome != hold_outcome::in_doubt)
    self->send(*decision.account_actor,
               settle_tenant{decision.decision.request_id, outcome == hold_outcome::booked});
}

/// Settles all members of a group with the same outcome.
template <typename Self>
void settle_all(Self* self, const decision_group& group, hold_outcome outcome) {
  for (const auto& member : group.members) settle(self, member, outcome);
}

/// Settles each member by whether its booking is among the stored ones. The state of its request is not
/// enough: another server may have decided it since, for another tenant or unit.
template <typename Self>
void settle_by(Self* self, const decision_group& group, const std::vector<domain::uuid>& stored) {
  const std::unordered_set<domain::uuid, domain::uuid_hash> known(stored.begin(), stored.end());
  for (const auto& member : group.members) {
    const auto& booking = member.decision.booking;
    settle(self, member,
           booking && known.contains(booking->id) ? hold_outcome::booked : hold_outcome::given_up);
  }
}

/// Logs a durable decision: the request and its outcome, without tenant data.
void log_decision(const domain::booking_request& request, const domain::decision& decided);

} // namespace roost::actors
