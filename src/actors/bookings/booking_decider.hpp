#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/runtime/storage.hpp"
#include "log/log.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/erasure.hpp"
#include "store/bookings/requests.hpp"

#include <boost/container/small_vector.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roost::actors {

/// Throws unavailable when the process's clock and the database's are further apart than that: nothing would
/// undo what a wrong clock does.
inline void check_clock(store::session& db, domain::timestamp now, std::chrono::milliseconds tolerance) {
  if (std::chrono::abs(store::database_clock(db) - now) > tolerance)
    throw store::unavailable("this machine's clock and the database's are apart");
}

/// Checks in and out the bookings whose day has come by the process's clock, as long as the database's agrees
/// with it. What fails is done by the next call.
template <typename Self>
void advance_stays(Self* self, const storage_actor& writing, const store::lease& lease, domain::timestamp now,
                   std::chrono::milliseconds clock_tolerance) {
  in_storage(
      self, writing, "advance_stays",
      [lease, now, clock_tolerance](store::session& db) {
        check_clock(db, now, clock_tolerance);
        return store::advance_stays(db, lease, domain::day_of(now));
      },
      [](const store::stays_advanced& moved) {
        if (moved.checked_in + moved.checked_out > 0)
          log::info("stays_advanced", {{"checked_in", moved.checked_in}, {"checked_out", moved.checked_out}});
      },
      [](storage_error) {});
}

/// Erases guests whose stays ended longer ago than `keep` by the process's clock, as long as the database's
/// agrees with it. `done` gets how many were erased, to go on at once where there may be more.
template <typename Self, typename Done>
void erase_old_guests(Self* self, const storage_actor& storage, const store::lease& lease,
                      domain::timestamp now, std::chrono::milliseconds clock_tolerance,
                      std::chrono::milliseconds keep, Done done) {
  constexpr std::size_t guests_at_once = 100;
  in_storage(
      self, storage, "erase_old_guests",
      [lease, now, clock_tolerance, keep](store::session& db) {
        check_clock(db, now, clock_tolerance);
        return store::erase_former_guests(db, lease, domain::day_of(now - keep), guests_at_once);
      },
      [done](const store::erasure& erased) {
        const auto count = std::max(erased.tenants, erased.requests);
        if (count > 0)
          log::info("guests_erased", {{"tenants", erased.tenants}, {"requests", erased.requests}});
        done(count);
      },
      [](storage_error) {});
}

/// The request's platform; none where the configuration no longer names it.
std::optional<std::size_t> platform_of(const platform_list& platforms,
                                       const domain::booking_request& request);

/// Shared by those who decide it and those who tell of the decision.
using request_pointer = std::shared_ptr<const store::pending_request>;

/// A request, and what it can mean in a directory, the unit that it does mean first.
struct meant_request {
  request_pointer pending;
  directory::candidates units;
};

/// What each of the requests means, in their order. Where that is no unit, the store tells whose the ID was
/// until lately: a landlord who has unlinked a unit that a platform still sells hears of the refusal so.
std::vector<meant_request> meanings_of(store::session& db, const directory& in,
                                       const platform_list& platforms,
                                       std::vector<store::pending_request> requests);

/// How long a booking request waited to be decided, and when its decision was begun and made.
struct decision_times {
  std::chrono::milliseconds waited{};
  std::chrono::steady_clock::time_point begun{}, made{};
};

/// Hardly ever more than one.
using account_list = boost::container::small_vector<domain::uuid, 2>;

/// A decision that is not durable yet, with those who hold something for it.
struct pending_decision {
  domain::decision decision;
  request_pointer request;               ///< that it decides
  decision_times times;                  ///< the queue's
  std::optional<unit_calendar> calendar; ///< holds the nights
  std::shared_ptr<unit_changes> changes; ///< of its unit
  std::optional<account> account_actor;  ///< holds a new tenant
  /// The booking's key while it may not be visible in the store, against duplicates in one run.
  std::optional<std::string> reference_key;
  account_list accounts; ///< those that it speaks of or whose listings decided it
  unit_label unit;
};

struct decider_setup {
  platform_list platforms;
  wall_clock now;
  std::function<domain::uuid()> new_id;
  bool gathers_refusals = false; ///< one mail an hour tells all of an account's refusals, not each its own
};

/// Decides one booking request: finds the unit, asks its calendar for the nights, asks the account who the
/// tenant is, and puts together all that follows (Partner API, States and transitions).
class booking_decider {
public:
  using done = std::function<void(pending_decision)>;

  /// `known_elsewhere`: whether the booking with this key was decided in this run but may not be in the store
  /// yet.
  using reference_check = std::function<bool(const std::string& key)>;

  /// Keeps its directory alive.
  using unit_pointer = std::shared_ptr<const directory_unit>;

  explicit booking_decider(decider_setup setup) : setup_(std::move(setup)) {}

  /// `meant`: in that directory. Calls `then` in `self`, at once or after the actors have answered; `failed`
  /// when one of them has ended.
  template <typename Self>
  void decide(Self* self, const meant_request& meant, const std::shared_ptr<const directory>& in,
              const reference_check& known_elsewhere, done then, std::function<void()> failed) const {
    const asked request{meant.pending, owners_of(meant.units)};
    if (is_duplicate(meant, known_elsewhere)) return then(dropped(request));
    if (meant.units.empty())
      return then(
          refused(request, landlord_without_unit(*in, *meant.pending), domain::refusal::unit_not_linked, {}));
    const unit_pointer unit{in, meant.units.front()};
    const auto key = reference_key(meant.pending->request, unit->owner->id);
    const auto wanted = to_reserve(meant.pending->request);
    self->request(unit->calendar, caf::infinite, wanted)
        .then(
            [this, self, request, unit, key, wanted, then, failed](reserve_response& answer) {
              if (answer.refused) return then(refused(request, unit->owner, *answer.refused, answer.unit));
              match(self, request, unit, key, wanted, std::move(answer), then, failed);
            },
            [failed](caf::error&) { failed(); });
  }

  /// What takes a decision's place when the database refused alone what the actors had allowed: its word
  /// counts. Nothing where the refusal decides nothing about the request.
  std::optional<pending_decision> instead_of(const pending_decision& decided, const directory& based_on,
                                             storage_error why) const;

private:
  struct asked {
    request_pointer pending;
    account_list accounts; ///< of the units that it can mean
  };

  template <typename Self>
  void match(Self* self, const asked& request, unit_pointer unit, std::optional<std::string> key,
             reserve wanted, reserve_response reserved, done then, std::function<void()> failed) const {
    self->request(unit->owner->actor, caf::infinite,
                  match_tenant{request.pending->request.id, setup_.new_id(), request.pending->request.tenant})
        .then([this, request, unit, key, wanted, reserved = std::move(reserved), then](
                  tenant_response& tenant) { then(booked(request, *unit, wanted, reserved, tenant, key)); },
              [failed](caf::error&) { failed(); });
  }

  /// `landlord`: who is told; null where nobody knows whose unit was meant.
  pending_decision refused(const asked& request, const directory_account* landlord, domain::refusal why,
                           const unit_label& label) const;
  static pending_decision begin(const asked& request, domain::request_state state);
  static pending_decision dropped(const asked& request);
  static account_list owners_of(const directory::candidates& units);
  /// A single-landlord platform's requests are that landlord's, whatever unit they name; another's are whose
  /// the ID was until lately.
  const directory_account* landlord_without_unit(const directory& in,
                                                 const store::pending_request& pending) const;
  /// Whether the platform's reference has a booking already, even a cancelled one (Partner API, States and
  /// transitions): in an account that the request can mean, or in any when its unit is gone.
  bool is_duplicate(const meant_request& meant, const reference_check& known_elsewhere) const;
  static std::optional<std::string> reference_key(const domain::booking_request& request,
                                                  const domain::uuid& account_id);
  reserve to_reserve(const domain::booking_request& request) const;
  pending_decision booked(const asked& from, const directory_unit& unit, const reserve& wanted,
                          const reserve_response& reserved, const tenant_response& tenant,
                          std::optional<std::string> key) const;

  decider_setup setup_;
};

} // namespace roost::actors
