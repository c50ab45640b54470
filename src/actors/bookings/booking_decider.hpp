#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/storage.hpp"
#include "log/log.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/erasure.hpp"
#include "store/bookings/requests.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace roost::actors {

/// Checks in and out the bookings that are due by the process's clock, if its time is trusted, except those
/// that the database is known to reject. The next call retries after a failure. Calls `ended` in either case,
/// with the bookings that the database has rejected.
template <typename Self, typename Ended>
void advance_stays(Self* self, const storage_actor& writing, const store::lease& lease, domain::timestamp now,
                   const time_check& is_trusted, std::vector<domain::uuid> known_rejected, Ended ended) {
  in_storage(
      self, writing, "advance_stays",
      [lease, now, is_trusted, rejected = std::move(known_rejected)](store::session& db) {
        return is_trusted(db, now) ? store::advance_stays(db, lease, domain::day_of(now), rejected)
                                   : store::stays_advanced{};
      },
      [ended](const store::stays_advanced& moved) {
        if (moved.checked_in + moved.checked_out > 0)
          log::info("stays_advanced", {{"checked_in", moved.checked_in}, {"checked_out", moved.checked_out}});
        if (!moved.rejected.empty())
          log::warn("stays_not_advanced", {{"bookings", moved.rejected.size()},
                                           {"first", domain::to_string(moved.rejected.front().item)},
                                           {"reason", moved.rejected.front().reason}});
        ended(moved.rejected);
      },
      [ended](storage_error) { ended({}); });
}

/// Erases guests whose stays ended longer ago than `keep` by the process's clock, if its time is trusted,
/// except those that the database is known to reject. Calls `done` with the result, so that the caller can
/// continue immediately.
template <typename Self, typename Done>
void erase_old_guests(Self* self, const storage_actor& storage, const store::lease& lease,
                      domain::timestamp now, const time_check& is_trusted, std::chrono::milliseconds keep,
                      store::guest_rows known_rejected, Done done) {
  constexpr std::size_t max_guests = 100;
  in_storage(
      self, storage, "erase_old_guests",
      [lease, now, is_trusted, keep, rejected = std::move(known_rejected)](store::session& db) {
        return is_trusted(db, now)
                   ? store::erase_former_guests(db, lease, domain::day_of(now - keep), max_guests, rejected)
                   : store::erasure{};
      },
      [done](const store::erasure& erased) {
        if (erased.tenants + erased.requests > 0)
          log::info("guests_erased", {{"tenants", erased.tenants}, {"requests", erased.requests}});
        const auto& rejected = erased.rejected;
        if (rejected.tenants.size() + rejected.requests.size() > 0)
          log::warn("guests_not_erased",
                    {{"tenants", rejected.tenants.size()}, {"requests", rejected.requests.size()}});
        done(erased);
      },
      [](storage_error) {});
}

/// Whether this process may decide requests of a platform: it knows the platform, and of a single-landlord
/// one also the account. Any refusal by another process would be final, and follow only from its
/// configuration.
bool is_decidable(const directory& in, const platform_list& platforms, const std::string& platform);

/// Shared by the decision and its reports.
using request_pointer = std::shared_ptr<const store::pending_request>;

/// A request with its candidate units in a directory.
struct request_candidates {
  request_pointer pending;
  directory::candidates units;        ///< the best match first
  directory::candidates former_units; ///< may have the booking that the request repeats; includes `units`
  bool is_property_match = false;     ///< whether `units` are linked under the ID's first part only
};

using account_set = std::unordered_set<domain::uuid, domain::uuid_hash>;

/// Returns whether one of these accounts owns a candidate unit.
bool refers_to(const request_candidates& candidates, const account_set& accounts);

/// Finds the candidate units of each request, in the same order. For requests without any, looks up the ID's
/// former landlord in the store, who is notified of the refusal if a platform still sells an unlinked unit. A
/// request that arrived while its exact ID was linked has none once that link has ended, not even the whole
/// property.
std::vector<request_candidates> find_candidates(store::session& db, const directory& in,
                                                const platform_list& platforms,
                                                std::vector<store::pending_request> requests);

/// How long a booking request waited for its decision, and when the decision started and ended.
struct decision_times {
  std::chrono::milliseconds waited{};
  std::chrono::steady_clock::time_point started_at{}, decided_at{};
};

/// Almost always a single account.
using account_list = boost::container::small_vector<domain::uuid, 2>;

/// A decision that is not durable yet, with the actors that hold nights or a tenant for it.
struct pending_decision {
  domain::decision decision;
  request_pointer request;                    ///< the one it decides
  decision_times times;                       ///< set by the queue
  std::optional<unit_calendar> calendar;      ///< holds the nights
  std::shared_ptr<unit_changes> changes;      ///< of its unit
  std::optional<account> account_actor;       ///< holds a new tenant
  std::optional<unit_calendar> hold_calendar; ///< shows the hold that the request has claimed; nullopt: none
  /// The booking's key while it may not be visible in the store, against duplicates in one run.
  std::optional<std::string> reference_key;
  account_list accounts;          ///< named in the decision, or owners of listings that it depends on
  bool is_property_match = false; ///< whether its unit is linked under the ID's first part only
  unit_label unit;
};

struct decider_setup {
  platform_list platforms;
  wall_clock now;
  std::function<domain::uuid()> new_id;
  bool gathers_refusals = false; ///< one mail an hour lists an account's refusals, instead of one mail each
};

/// Decides one booking request: finds the unit, reserves the nights in its calendar, gets the tenant from the
/// account, and assembles everything that must be written (Partner API, States and transitions).
class booking_decider {
public:
  using done = std::function<void(pending_decision)>;

  /// Returns whether the booking with this key was decided in this run and may not be in the store yet.
  using reference_check = std::function<bool(const std::string& key)>;

  /// Keeps the unit's directory alive.
  using unit_pointer = std::shared_ptr<const directory_unit>;

  explicit booking_decider(decider_setup setup) : setup_(std::move(setup)) {}

  /// Decides `candidates`, which was resolved in `in`. Calls `then` in `self`, immediately or after the
  /// actors have responded; calls `failed` if one of them has ended.
  ///
  /// Decides one request at a time, even if the caller does not need the previous decision any more: that one
  /// holds its nights until the caller has received it, and a refusal because of them would be final. A call
  /// that waits for it is discarded by the next call.
  template <typename Self>
  void decide(Self* self, const request_candidates& candidates, const std::shared_ptr<const directory>& in,
              const reference_check& known_elsewhere, done then, std::function<void()> failed) {
    if (in_progress_) {
      waiting_ = [=, this] { decide(self, candidates, in, known_elsewhere, then, failed); };
      return;
    }
    in_progress_ = true;
    start(
        self, candidates, in, known_elsewhere,
        [this, then = std::move(then)](pending_decision decided) {
          in_progress_ = false;
          then(std::move(decided));
          decide_waiting();
        },
        [this, failed = std::move(failed)] {
          in_progress_ = false;
          failed();
          decide_waiting();
        });
  }

  /// Returns the decision that replaces one the database rejected although the actors had allowed it; nullopt
  /// if the error says nothing about the request.
  std::optional<pending_decision> replacement_for(const pending_decision& decided, const directory& based_on,
                                                  storage_error error) const;

private:
  struct resolved_request {
    request_pointer pending;
    account_list accounts; ///< of its former units
    bool is_property_match;
  };

  void decide_waiting() {
    if (!in_progress_)
      if (const auto waiting = std::exchange(waiting_, nullptr)) waiting();
  }

  template <typename Self>
  void start(Self* self, const request_candidates& candidates, const std::shared_ptr<const directory>& in,
             const reference_check& known_elsewhere, done then, std::function<void()> failed) const {
    const resolved_request request{candidates.pending, owners_of(candidates.former_units),
                                   candidates.is_property_match};
    if (is_duplicate(candidates, known_elsewhere)) return then(dropped(request));
    if (candidates.units.empty())
      return then(refused(request, landlord_without_unit(*in, *candidates.pending),
                          domain::refusal::unit_not_linked, {}));
    const unit_pointer unit{in, candidates.units.front()};
    const auto key = reference_key(candidates.pending->request, unit->owner->id);
    const auto reservation = to_reserve(*candidates.pending);
    self->request(unit->calendar, caf::infinite, reservation)
        .then(
            [this, self, request, unit, key, reservation, then, failed](reserve_response& response) {
              if (response.refused) {
                auto decided = refused(request, unit->owner, *response.refused, response.unit, unit->id(),
                                       std::move(response.taken));
                if (request.pending->claimed_hold) decided.hold_calendar = unit->calendar;
                return then(std::move(decided));
              }
              match(self, request, unit, key, reservation, std::move(response), then, failed);
            },
            [failed](caf::error&) { failed(); });
  }

  template <typename Self>
  void match(Self* self, const resolved_request& request, unit_pointer unit, std::optional<std::string> key,
             reserve reservation, reserve_response reserved, done then, std::function<void()> failed) const {
    self->request(unit->owner->actor, caf::infinite,
                  match_tenant{request.pending->request.id, setup_.new_id(), request.pending->request.tenant})
        .then(
            [this, request, unit, key, reservation, reserved = std::move(reserved),
             then](tenant_response& tenant) {
              then(booked(request, *unit, reservation, reserved, tenant, key));
            },
            [failed](caf::error&) { failed(); });
  }

  /// `landlord`: whom to notify; null if the unit's owner is unknown.
  pending_decision refused(const resolved_request& request, const directory_account* landlord,
                           domain::refusal reason, const unit_label& label,
                           std::optional<domain::uuid> unit_id = std::nullopt,
                           std::vector<domain::nights> taken = {}) const;
  static pending_decision begin(const resolved_request& request, domain::request_state state);
  static pending_decision dropped(const resolved_request& request);
  static account_list owners_of(const directory::candidates& units);
  /// Returns the landlord of a request without a unit: of a single-landlord platform always its landlord,
  /// else the ID's former landlord; null if unknown.
  const directory_account* landlord_without_unit(const directory& in,
                                                 const store::pending_request& pending) const;
  /// Returns whether the platform's reference already has a booking, even a cancelled one (Partner API,
  /// States and transitions): in the former units' accounts, or in any account if there are none.
  bool is_duplicate(const request_candidates& candidates, const reference_check& known_elsewhere) const;
  static std::optional<std::string> reference_key(const domain::booking_request& request,
                                                  const domain::uuid& account_id);
  reserve to_reserve(const store::pending_request& pending) const;
  pending_decision booked(const resolved_request& from, const directory_unit& unit,
                          const reserve& reservation, const reserve_response& reserved,
                          const tenant_response& tenant, std::optional<std::string> key) const;

  decider_setup setup_;
  bool in_progress_ = false;
  std::function<void()> waiting_; ///< the call that waits for the decision in progress
};

} // namespace roost::actors
