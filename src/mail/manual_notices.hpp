#pragma once

#include "mail/stay_facts.hpp"

#include <span>
#include <string_view>

/// Notifications of what people do with bookings: users of the office, and operators.
namespace roost::mail {

/// A person's write of a booking.
struct manual_write {
  domain::uuid notice_id{};
  domain::timestamp now{};
  domain::uuid account_id{}, booking_id{};
  std::string_view by; ///< a user's email address, an operator, or a platform
};

/// Returns the in-app notification of a booking that a user of the office made.
domain::notification booked_by_hand_notice(const manual_write& write, const stay_facts& stay,
                                           std::span<const domain::stay_warning> warnings);

/// Returns the in-app notification of a change to the dates, the unit or the occupants.
domain::notification changed_by_hand_notice(const manual_write& write, const stay_facts& before,
                                            const stay_facts& after,
                                            std::span<const domain::stay_warning> warnings);

/// The same for a change by the booking's platform, which is the author.
domain::notification changed_by_platform_notice(const manual_write& write, const stay_facts& before,
                                                const stay_facts& after,
                                                std::span<const domain::stay_warning> warnings);

/// Returns the in-app notification of a cancellation; the reason may be empty.
domain::notification cancelled_by_hand_notice(const manual_write& write, const stay_facts& stay,
                                              std::string_view reason);

} // namespace roost::mail
