#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/runtime/storage.hpp"
#include "store/bookings/requests.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace roost::actors {

/// A decision that is not durable yet, with those who hold something for it.
struct pending_decision {
  domain::decision decision;
  domain::timestamp received_at{};
  std::optional<unit_calendar> calendar; ///< holds the nights
  std::shared_ptr<unit_changes> changes; ///< of its unit
  std::optional<account> account_actor;  ///< holds a new tenant
  /// The booking's key while it may not be visible in the store, against duplicates in one run.
  std::optional<std::string> reference_key;
  unit_label unit;
};

struct decider_setup {
  platform_list platforms;
  wall_clock now;
  std::function<domain::uuid()> new_id;
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

  /// Calls `then` in `self`, at once or after the actors have answered; `failed` when one of them has ended.
  template <typename Self>
  void decide(Self* self, store::pending_request pending, const std::shared_ptr<const directory>& in,
              const reference_check& known_elsewhere, done then, std::function<void()> failed) const {
    auto request = std::make_shared<const store::pending_request>(std::move(pending));
    const auto unit = find_unit(in, request->request);
    if (!unit) return then(refused(*request, nullptr, domain::refusal::unit_not_linked, {}));
    const auto key = reference_key(request->request, unit->owner->id);
    if (is_duplicate(*request, unit->owner->id) || (key && known_elsewhere(*key)))
      return then(dropped(*request));
    const auto wanted = to_reserve(request->request);
    self->request(unit->calendar, caf::infinite, wanted)
        .then(
            [this, self, request, unit, key, wanted, then, failed](reserve_answer& answer) {
              if (answer.refused) return then(refused(*request, unit.get(), *answer.refused, answer.unit));
              match(self, request, unit, key, wanted, std::move(answer), then, failed);
            },
            [failed](caf::error&) { failed(); });
  }

  /// What takes a decision's place when the database refused alone what the actors had allowed: its word
  /// counts. Nothing where the refusal decides nothing about the request.
  std::optional<pending_decision> instead_of(const pending_decision& decided,
                                             const store::pending_request& pending, const directory& based_on,
                                             storage_error why) const;

private:
  template <typename Self>
  void match(Self* self, std::shared_ptr<const store::pending_request> request, unit_pointer unit,
             std::optional<std::string> key, reserve wanted, reserve_answer reserved, done then,
             std::function<void()> failed) const {
    self->request(unit->owner->actor, caf::infinite,
                  match_tenant{request->request.id, setup_.new_id(), request->request.tenant})
        .then([this, request, unit, key, wanted, reserved = std::move(reserved),
               then](tenant_answer& tenant) { then(booked(*request, *unit, wanted, reserved, tenant, key)); },
              [failed](caf::error&) { failed(); });
  }

  pending_decision refused(const store::pending_request& pending, const directory_unit* unit,
                           domain::refusal why, const unit_label& label) const;
  pending_decision dropped(const store::pending_request& pending) const;
  std::optional<std::size_t> platform_of(const domain::booking_request& request) const;
  unit_pointer find_unit(const std::shared_ptr<const directory>& in,
                         const domain::booking_request& request) const;
  static bool is_duplicate(const store::pending_request& pending, const domain::uuid& account_id);
  static std::optional<std::string> reference_key(const domain::booking_request& request,
                                                  const domain::uuid& account_id);
  reserve to_reserve(const domain::booking_request& request) const;
  pending_decision booked(const store::pending_request& pending, const directory_unit& unit,
                          const reserve& wanted, const reserve_answer& reserved, const tenant_answer& tenant,
                          std::optional<std::string> key) const;

  decider_setup setup_;
};

} // namespace roost::actors
