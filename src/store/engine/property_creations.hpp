#pragma once

#include "domain/booking.hpp"
#include "domain/property_request.hpp"
#include "store/database/lease.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// What an account is told.
struct landlord_messages {
  std::optional<domain::notification> notification;
  std::vector<domain::outgoing_mail> mails;
};

/// A property that a platform asks for.
struct property_creation {
  std::string platform; ///< who asks, and whom the units are linked to
  domain::property_request wanted;
  std::shared_ptr<const domain::account> owner;
  domain::uuid property_id{};
  std::vector<domain::uuid> unit_ids; ///< ascending, one for each room
  domain::timestamp now{};
  /// What to tell about a room of this creation that could not be created.
  std::function<landlord_messages(const property_creation&, const domain::room_refusal&)> tell;
};

struct creation_outcome {
  domain::created_property created;
  stream_point change; ///< that the creation is
};

/// Writes the property, its units with their links, and what the account is told of a room that could not be
/// created, in one transaction. A property that the platform created earlier under the same id, and that was
/// not archived since, stays as it is and gets the units. Throws lease_lost or unavailable.
creation_outcome create_property(session& db, const lease& held, const property_creation& creation);

} // namespace roost::store
