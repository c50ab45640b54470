#pragma once

#include "domain/booking.hpp"
#include "domain/booking_terms.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace roost::mail {

/// A stay that a platform requested, as described to the landlord.
struct stay_facts {
  std::string_view unit_name; ///< empty if the request names no linked unit
  std::string_view city;      ///< the property's; may be empty
  const domain::booking_request& request;
};

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

/// Returns the in-app notification of a cancellation by an operator's command on the landlord's behalf. `by`
/// identifies the operator.
domain::notification cancelled_by_hand_notice(const domain::uuid& id, domain::timestamp now,
                                              const domain::uuid& account_id, const domain::uuid& booking_id,
                                              const stay_facts& stay, std::string_view by);

/// Returns the mail about a refusal to one recipient (Partner API, Events). The name is the only data of the
/// guest in it.
domain::outgoing_mail refused_mail(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                   std::string_view company_name, const stay_facts& stay,
                                   domain::refusal refusal);

/// Returns a part of a mail about several refusals to one recipient: its text becomes a paragraph of that
/// mail.
domain::outgoing_mail gathered_refusal(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                       std::string_view company_name, const stay_facts& stay,
                                       domain::refusal refusal);

/// Combines parts into one mail about `count` refusals; those without a part are only counted. Requires at
/// least one part; the mail has the first part's id and time.
domain::outgoing_mail gathered_refusals(std::span<const domain::outgoing_mail> parts, std::size_t count);

} // namespace roost::mail
