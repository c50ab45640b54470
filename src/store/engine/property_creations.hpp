#pragma once

#include "domain/booking.hpp"
#include "domain/property_request.hpp"
#include "store/audit/audit.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// The messages to a landlord about a room that could not be created.
struct landlord_messages {
  std::optional<domain::notification> notification;
  std::vector<domain::outgoing_mail> mails;
};

/// A platform's request to create a property.
struct property_creation {
  std::string platform; ///< the requesting platform, to which the units are linked
  domain::property_request request;
  std::shared_ptr<const domain::account> owner;
  domain::uuid property_id{};
  std::vector<domain::uuid> unit_ids; ///< ascending, one for each room
  domain::timestamp now{};
  /// Builds the messages about the room that was refused.
  std::function<landlord_messages(const property_creation&, const domain::room_refusal&)>
      messages_for_refusal;
  audit_entry audit = {};
};

struct creation_outcome {
  bool locked = false; ///< an import is writing the account, so that nothing was written
  domain::created_property created;
  stream_point change; ///< the creation's entry in the stream
};

/// Writes the properties, their units with their links, and the messages about refused rooms in one
/// transaction, in order. If the platform has already created a property with this id that is not archived,
/// adds the units to it and leaves it unchanged. Stops each creation at its first refused room. Returns an
/// outcome for each creation. Throws lease_lost or unavailable.
std::vector<creation_outcome> create_properties(session& db, const lease& held,
                                                std::span<const property_creation> creations);

} // namespace roost::store
