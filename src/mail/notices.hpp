#pragma once

#include "domain/booking.hpp"
#include "domain/booking_terms.hpp"
#include "domain/property_request.hpp"
#include "mail/stay_facts.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace roost::mail {

/// Returns the in-app notification of a booking (Partner API, Events).
domain::notification created_notice(const domain::uuid& id, domain::timestamp now,
                                    const domain::uuid& account_id, const domain::uuid& booking_id,
                                    const stay_facts& stay, std::span<const domain::stay_warning> warnings);

/// Returns the in-app notification of a refusal (Partner API, Events).
domain::notification refused_notice(const domain::uuid& id, domain::timestamp now,
                                    const domain::uuid& account_id, const stay_facts& stay,
                                    domain::refusal refusal);

/// Returns the in-app notification of a cancellation by the platform, which frees the nights.
domain::notification cancelled_notice(const domain::uuid& id, domain::timestamp now,
                                      const domain::uuid& account_id, const domain::uuid& booking_id,
                                      const stay_facts& stay);

/// Returns the mail about a refusal (Partner API, Events). It contains no data of the guest but the name.
domain::outgoing_mail refused_mail(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                   std::string_view company_name, const stay_facts& stay,
                                   domain::refusal refusal);

/// Returns a part of a mail about several refusals: its text becomes a paragraph of that mail.
domain::outgoing_mail gathered_refusal(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                       std::string_view company_name, const stay_facts& stay,
                                       domain::refusal refusal);

/// Combines parts into one mail about `count` refusals; those without a part are only counted. Requires at
/// least one part; the mail has the first part's id and time.
domain::outgoing_mail gathered_refusals(std::span<const domain::outgoing_mail> parts, std::size_t count);

/// A room that the booking engine could not create, for its landlord (Partner API, Property creation).
struct uncreated_room {
  std::string_view platform; ///< the engine's name
  const domain::property_request& request;
  domain::room_refusal refusal;
};

domain::notification uncreated_room_notice(const domain::uuid& id, domain::timestamp now,
                                           const domain::uuid& account_id, const uncreated_room& room);

domain::outgoing_mail uncreated_room_mail(const domain::uuid& id, domain::timestamp now,
                                          std::string recipient, std::string_view company_name,
                                          const uncreated_room& room);

} // namespace roost::mail
