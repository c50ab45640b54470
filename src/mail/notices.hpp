#pragma once

#include "domain/booking.hpp"
#include "mail/notices.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace roost::mail {

/// Limits that platforms enforce on their side: such a stay is booked all the same (Partner API, Limits).
enum class stay_warning { above_capacity, shorter_than_minimum, longer_than_maximum };

/// The in-app notification of a booking (Partner API, Events).
domain::notification created_notice(const domain::uuid& id, domain::timestamp now,
                                    const domain::uuid& account_id, const domain::uuid& booking_id,
                                    const stay_facts& stay, std::span<const stay_warning> warnings);

/// The in-app notification of a refusal (Partner API, Events).
domain::notification refused_notice(const domain::uuid& id, domain::timestamp now,
                                    const domain::uuid& account_id, const stay_facts& stay,
                                    domain::refusal why);

/// The in-app notification of a platform's cancel. The stay's unit is free again for those nights.
domain::notification cancelled_notice(const domain::uuid& id, domain::timestamp now,
                                      const domain::uuid& account_id, const domain::uuid& booking_id,
                                      const stay_facts& stay);

/// The same of a cancel by the landlord's own side: an operator's command. `by`: who gave it.
domain::notification cancelled_by_hand_notice(const domain::uuid& id, domain::timestamp now,
                                              const domain::uuid& account_id, const domain::uuid& booking_id,
                                              const stay_facts& stay, std::string_view by);

/// The mail about a refusal to one recipient (Partner API, Events). Of the guest it holds nothing but the
/// name.
domain::outgoing_mail refused_mail(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                   std::string_view company_name, const stay_facts& stay,
                                   domain::refusal why);

/// The same, to be gathered with the account's others to that recipient: its text is a paragraph of theirs.
domain::outgoing_mail gathered_refusal(const domain::uuid& id, domain::timestamp now, std::string recipient,
                                       std::string_view company_name, const stay_facts& stay,
                                       domain::refusal why);

/// One mail with what the gathered ones say, of which there are `all`; the others are only counted. At least
/// one part: the first one's id and time are its own.
domain::outgoing_mail gathered_refusals(std::span<const domain::outgoing_mail> parts, std::size_t all);

} // namespace roost::mail
