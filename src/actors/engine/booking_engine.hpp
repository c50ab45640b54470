#pragma once

#include "actors/inventory/account.hpp"
#include "actors/inventory/change_follower.hpp"
#include "actors/mailing/mailer.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/storage.hpp"
#include "store/engine/linked_units.hpp"
#include "store/engine/property_creations.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost::actors {

using store::linked_unit;

/// Changes a unit's terms.
struct edit_listing {
  linked_unit unit;
  domain::listing_edit edit;
  actors::deadline deadline;
  std::string by = {}; ///< the caller's credential
};

struct listing_edited {
  bool found = false; ///< false: not linked, excluded or archived by now
};

/// Creates a property with its units.
struct create_property {
  std::string platform;
  std::shared_ptr<const domain::account> owner;
  std::shared_ptr<const account_contacts> contacts; ///< recipients of the mail if a room cannot be created
  domain::property_request request;
  actors::deadline deadline;
  std::string by = {}; ///< the caller's credential
};

struct property_created {
  domain::created_property outcome;
};

/// Performs the booking engine's writes, in order of arrival (Partner API, Booking-engine prefix). Edits that
/// arrive during a commit share the next one, and so do creations. Responds when the change is durable and
/// visible in reads; responds with storage_error if the store or the follower does not respond in time,
/// although the change may have been made.
using booking_engine = caf::typed_actor<caf::replies_to<edit_listing>::with<listing_edited>,
                                        caf::replies_to<create_property>::with<property_created>>;

struct booking_engine_setup {
  storage_actor writing;
  std::shared_ptr<const held_lease> lease;
  change_follower follower;
  actors::mailer mailer;
  wall_clock now;
  std::function<domain::uuid()> new_id;
};

booking_engine spawn_booking_engine(runtime& rt, booking_engine_setup setup);

/// Returns the current residents of the unit's property; nullopt if the unit is not linked, excluded or
/// archived by now. Throws ask_error.
asio::awaitable<std::optional<std::vector<domain::housemate>>> read_housemates(storage_lane lane,
                                                                               linked_unit unit);

} // namespace roost::actors
