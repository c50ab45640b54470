#pragma once

#include "actors/inventory/busy_units.hpp"
#include "actors/inventory/directory.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "store/engine/unit_edits.hpp"

#include <caf/typed_actor.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roost::actors {

/// How many booking requests this server knows to be decided in the store. Whoever compares it with the store
/// reads it first: it may grow meanwhile.
class decision_count {
public:
  std::int64_t known() const { return known_.load(); }

  void learn(std::int64_t decided) {
    auto before = known_.load();
    while (before < decided && !known_.compare_exchange_weak(before, decided)) {
    }
  }

private:
  std::atomic<std::int64_t> known_{0};
};

struct portfolio_loader_setup {
  std::string store_url;
  platform_list platforms;
  wall_clock now;
  std::shared_ptr<held_lease> lease; ///< lost when the store turns out to be another one
  std::shared_ptr<decision_count> decided = std::make_shared<decision_count>(); ///< the booking queue's, too
  published<actors::directory>* directory = nullptr;
  std::shared_ptr<change_clock> changes = std::make_shared<change_clock>(); ///< of the units; the feeds' own
  std::shared_ptr<busy_units> busy = std::make_shared<busy_units>();
  /// Called after a new directory was published, on the loader's thread.
  std::function<void()> directory_published = [] {};
  /// Whether users of this role are mailed about bookings.
  std::function<bool(const std::string& role)> is_notified;
  /// Reads tokens and keys anew; runs before the change counts as applied. May throw store::error.
  std::function<void(store::session&)> reload_credentials;
  std::chrono::milliseconds interval{100}; ///< between two looks at the store's change version
  std::size_t edits_a_directory = 10'000;  ///< edited units until a new directory is made, as the old one
                                           ///< keeps their old terms in memory
};

struct look_for_changes {};

/// Ends the calendars and accounts.
struct end_calendars {};

/// This server has just written a change, and wants it to be seen.
struct show_change {
  store::portfolio_position position;             ///< that the change led to
  std::shared_ptr<const store::edited_unit> edit; ///< what it was; null: to be read from the store
};

/// Reads that come from now on show the change.
struct change_shown {};

/// The store has shown that memory does not know all of an account's bookings.
struct read_account_again {
  domain::uuid account_id{};
};

/// Keeps what is in memory in step with the store's portfolio: loads everything at the start and whole
/// accounts after an import, spawns their calendars, and publishes the directory. A store that stands before
/// what was read of it is another one: the lease is lost then. On its own thread, with its own session.
using portfolio_loader =
    caf::typed_actor<caf::reacts_to<look_for_changes>, caf::reacts_to<end_calendars>,
                     caf::reacts_to<read_account_again>,
                     /// At once; responds with storage_error while this server is not the writer. No answer
                     /// while the store does not answer, so the asker limits its patience.
                     caf::replies_to<show_change>::with<change_shown>>;

portfolio_loader spawn_portfolio_loader(runtime& rt, portfolio_loader_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::look_for_changes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::end_calendars)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_account_again)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::show_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::change_shown)
