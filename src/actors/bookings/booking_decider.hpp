#pragma once

#include "actors/bookings/decision_times.hpp"
#include "actors/bookings/request_units.hpp"
#include "actors/inventory/directory.hpp"
#include "actors/runtime/storage.hpp"
#include "store/bookings/requests.hpp"

#include <boost/container/small_vector.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roost::actors {

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
