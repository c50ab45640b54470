#pragma once

#include "actors/bookings/decision_group.hpp"
#include "actors/office/office_writer.hpp"
#include "actors/runtime/clock.hpp"
#include "metrics/registry.hpp"
#include "store/bookings/stay_changes.hpp"
#include "store/stays/platform_changes.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace roost::actors {

struct stay_change_setup {
  office_writer writer;
  wall_clock now;
  std::function<domain::uuid()> new_id;
  store::booking_description describe; ///< for the changelog and the audit log
};

/// Lets the office's writer decide platforms' changes of stays, for the booking queue: each when the requests
/// that arrived before it are decided and written.
class stay_change_decider {
public:
  stay_change_decider(stay_change_setup setup, metrics::registry& registry);

  /// Begins a run of the queue, which tries postponed changes again.
  void begin_run() { postponed_.begin_run(); }
  /// The queue reads all requests again.
  void start_over() { postponed_.start_over(); }

  const postponed_changes& postponed() const { return postponed_; }

  /// Postpones a change to the next run.
  void postpone(const store::pending_stay_change& pending, std::string_view reason);

  /// Decides a change, or postpones it. Then calls `then(has_lease)` in `self`.
  template <typename Self, typename Then>
  void decide(Self* self, store::pending_stay_change change, Then then) {
    self->request(setup_.writer, caf::infinite, message_of(change))
        .then(
            [this, change, then](const store::stay_change_outcome& outcome) {
              report(change, outcome);
              then(true);
            },
            [this, change, then](const caf::error& reason) {
              const auto error = storage_error_of(reason);
              if (error == storage_error::lease_lost || error == storage_error::another_history)
                return then(false);
              this->failed(change, error);
              then(true);
            });
  }

private:
  decide_stay_change message_of(const store::pending_stay_change& pending) const;
  void report(const store::pending_stay_change& pending, const store::stay_change_outcome& outcome);
  void failed(const store::pending_stay_change& pending, storage_error error);

  stay_change_setup setup_;
  postponed_changes postponed_;
  std::unordered_map<std::int64_t, int> failures_; ///< by pending_stay_change::seq
  metrics::counter applied_, refused_;
};

} // namespace roost::actors
