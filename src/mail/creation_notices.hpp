#pragma once

#include "domain/booking.hpp"
#include "domain/property_request.hpp"

#include <string>
#include <string_view>

namespace roost::mail {

/// A room that the booking engine could not create, for its landlord (Partner API, Property creation).
struct uncreated_room {
  std::string_view platform; ///< the engine's name
  const domain::property_request& request;
  domain::room_refusal refusal;
};

/// Returns the in-app notification.
domain::notification uncreated_room_notice(const domain::uuid& id, domain::timestamp now,
                                           const domain::uuid& account_id, const uncreated_room& room);

/// Returns the mail to one recipient.
domain::outgoing_mail uncreated_room_mail(const domain::uuid& id, domain::timestamp now,
                                          std::string recipient, std::string_view company_name,
                                          const uncreated_room& room);

} // namespace roost::mail
