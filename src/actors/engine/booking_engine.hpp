#pragma once

#include "actors/inventory/account.hpp"
#include "actors/inventory/change_follower.hpp"
#include "actors/mailing/mailer.hpp"
#include "actors/runtime/storage.hpp"
#include "store/engine/housemates.hpp"
#include "store/engine/property_creations.hpp"

#include <caf/typed_actor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost::actors {

/// A platform's unit, as the directory found it.
struct linked_unit {
  domain::uuid id{};
  std::string platform;
  std::string linked_as; ///< its ID there
};

/// Asks for a unit's new terms.
struct edit_listing {
  linked_unit unit;
  domain::listing_edit edit;
  actors::deadline deadline;
  std::string by = {}; ///< the caller's credential
};

struct listing_edited {
  bool found = false; ///< false: not linked, excluded or archived after all
};

/// Asks for a property with its units.
struct create_property {
  std::string platform;
  std::shared_ptr<const domain::account> owner;
  std::shared_ptr<const account_contacts> contacts; ///< who is told when a room cannot be created
  domain::property_request wanted;
  actors::deadline deadline;
  std::string by = {}; ///< the caller's credential
};

struct property_created {
  domain::created_property outcome;
};

/// Asks who lives in the unit's property now.
struct read_housemates {
  linked_unit unit;
  actors::deadline deadline;
};

struct housemates_response {
  std::optional<std::vector<domain::housemate>> residents; ///< none: not linked, excluded or archived
};

/// What the booking engine writes, one request at a time and each in one transaction (Partner API,
/// Booking-engine prefix). An answer comes when the change is durable and reads show it; storage_error comes
/// when the store or the follower does not respond in time, and the change may have been made nevertheless.
using booking_engine = caf::typed_actor<caf::replies_to<edit_listing>::with<listing_edited>,
                                        caf::replies_to<create_property>::with<property_created>,
                                        caf::replies_to<read_housemates>::with<housemates_response>>;

struct booking_engine_setup {
  storage_actor reading, writing;
  std::shared_ptr<const held_lease> lease;
  change_follower follower;
  actors::mailer mailer;
  wall_clock now;
  std::function<domain::uuid()> new_id;
};

booking_engine spawn_booking_engine(runtime& rt, booking_engine_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::edit_listing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::listing_edited)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::create_property)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::property_created)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_housemates)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::housemates_response)
