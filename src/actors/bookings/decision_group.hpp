#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/runtime/published.hpp"
#include "domain/booking.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/stay_changes.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

/// The keys of bookings that may not be visible in the store yet (pending_decision::reference_key).
class recent_references {
public:
  void add(const std::string& key) { building_.insert(key); }
  bool contain(const std::string& key) const { return written_.contains(key) || building_.contains(key); }

  /// The group being built is being written.
  void write() { written_ = std::exchange(building_, {}); }
  void abandon_building() { building_.clear(); }
  void clear_written() { written_.clear(); }

private:
  std::unordered_set<std::string> building_, written_;
};

/// The changes of stays that could not be decided in a run of the queue.
class postponed_changes {
public:
  /// Later changes of the booking, and later requests and changes of its account wait, too.
  void add(const store::pending_stay_change& change) {
    skip(change);
    if (const auto account = account_of(change)) accounts_.insert(*account);
  }
  /// Only later changes of the booking wait, too.
  void skip(const store::pending_stay_change& change) { bookings_.insert(booking_of(change)); }
  /// The booking is not decided: its request is left out until the queue starts over.
  void await_booking(const store::pending_stay_change& change) { undecided_.insert(booking_of(change)); }

  void begin_run() { *this = {}; }
  void start_over() { undecided_.clear(); }

  /// Whether a change waits. The first check does not need its booking to be read.
  bool include_booking_of(const store::pending_stay_change& change) const {
    const auto booking = booking_of(change);
    return bookings_.contains(booking) || undecided_.contains(booking);
  }
  bool include_account_of(const store::pending_stay_change& change) const {
    const auto account = account_of(change);
    return account && accounts_.contains(*account);
  }
  bool concern(const request_candidates& candidates) const {
    return !accounts_.empty() && refers_to(candidates, accounts_);
  }

private:
  /// The names of platforms have no spaces.
  static std::string booking_of(const store::pending_stay_change& change) {
    return change.change.platform + ' ' + change.change.reference;
  }
  static std::optional<domain::uuid> account_of(const store::pending_stay_change& change) {
    if (!change.booking || !change.booking->booked) return std::nullopt;
    return change.booking->booked->account_id;
  }

  std::unordered_set<std::string> bookings_, undecided_;
  account_set accounts_;
};

using request_ids = std::unordered_set<domain::uuid, domain::uuid_hash>;

/// A group to be built, and the requests to decide for it.
struct next_group {
  decision_group group;
  std::vector<request_candidates> requests;
  /// The position of the newest change of the portfolio, read after the requests; 0 if all have candidates.
  std::int64_t portfolio_position = 0;
  /// The first change of a stay to decide. The requests are those that arrived before it.
  std::optional<store::pending_stay_change> change = {};
};

/// The requests without a unit that must stay New until memory holds every change of the portfolio that
/// preceded them: a change that memory does not hold yet may have linked the unit.
class requests_ahead_of_memory {
public:
  /// Removes such requests from those to decide and returns them; a later group has them again.
  std::vector<request_pointer> remove_from(next_group& next);
  void clear() { positions_.clear(); }

private:
  /// The position that memory must reach before each request is decided.
  std::unordered_map<domain::uuid, std::int64_t, domain::uuid_hash> positions_;
  std::uint64_t memory_ = 0; ///< the replication_position::generation() of the positions
};

/// Which requests and changes to read.
struct group_limits {
  std::int64_t after_seq = 0; ///< only requests that arrived after this one
  std::size_t max_requests = 0;
  postponed_changes postponed = {}; ///< in the queue's run
  request_ids left_out = {};        ///< in the queue's run
};

/// Reads New requests and the first pending change, of the platforms that this process may decide, and
/// resolves the requests in the current directory. Without requests, all that arrived before the change are
/// decided or left out. Returns an empty result while there is no directory.
next_group load_group(store::session& db, const replication_position& followed,
                      const published<directory>& in, const platform_list& platforms,
                      const group_limits& limits);

// Storage jobs of the queue. They call `then` with the result in `self`, or `failed(storage_error)`.

/// Calls load_group(); `setup` is the queue's.
template <typename Self, typename Setup, typename Then, typename Failed>
void load_group_in_storage(Self* self, const Setup& setup, group_limits limits, Then then, Failed failed) {
  in_storage(
      self, setup.reading, "pending_requests",
      [followed = setup.followed, directory = setup.directory, platforms = setup.decisions.platforms,
       limits = std::move(limits)](store::session& db) {
        return load_group(db, *followed, *directory, platforms, limits);
      },
      std::move(then), std::move(failed));
}

template <typename Self, typename Then, typename Failed>
void write_in_storage(Self* self, const storage_actor& writing, const store::lease& lease,
                      const decision_group& group, Then then, Failed failed) {
  in_storage(
      self, writing, "record_decisions",
      [lease, basis = group.basis(), rows = std::shared_ptr<const store::decision_rows>(group.rows)](
          store::session& db) { return store::record_decisions(db, lease, basis, *rows); },
      std::move(then), std::move(failed));
}

/// Reads which bookings of a group whose commit is in doubt are stored.
template <typename Self, typename Then, typename Failed>
void look_up_in_storage(Self* self, const storage_actor& reading, const decision_group& group, Then then,
                        Failed failed) {
  in_storage(
      self, reading, "settled_bookings",
      [requests = group.request_ids(), bookings = group.booking_ids()](store::session& db) {
        return store::settled_bookings(db, requests, bookings);
      },
      std::move(then), std::move(failed));
}

/// Sends the outcome to the actors that hold nights or a tenant for a decision. The tenant of a decision in
/// doubt stays held.
template <typename Self>
void settle(Self* self, const pending_decision& decision, hold_outcome outcome) {
  if (decision.calendar) {
    self->send(*decision.calendar, settle_nights{decision.decision.booking->id, outcome});
    if (outcome != hold_outcome::given_up) decision.changes->note();
  }
  if (decision.hold_calendar && outcome == hold_outcome::booked)
    self->send(*decision.hold_calendar,
               settle_nights{*decision.request->claimed_hold, hold_outcome::cancelled}); // it has ended
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
