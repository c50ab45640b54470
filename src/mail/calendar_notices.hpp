#pragma once

#include "domain/booking.hpp"
#include "domain/date.hpp"

#include <string_view>

namespace roost::mail {

/// An imported calendar, as described to the landlord.
struct calendar_facts {
  std::string_view name, unit;
};

/// Returns the in-app notification of an event that claims nights which something else claims, too.
domain::notification calendar_conflict_notice(const domain::uuid& id, domain::timestamp now,
                                              const domain::uuid& account_id, const calendar_facts& calendar,
                                              const domain::nights& nights);

/// Returns the in-app notification of a calendar that could not be read several times.
domain::notification failing_calendar_notice(const domain::uuid& id, domain::timestamp now,
                                             const domain::uuid& account_id, const calendar_facts& calendar,
                                             std::string_view problem);

} // namespace roost::mail
