#include "http/bookings/booking_changes.hpp"

#include "http/bookings/booking_object.hpp"

#include <optional>

namespace roost::http {

std::vector<domain::field_change> changes_of_booking(const store::booking_record* before,
                                                     const store::booking_record& after) {
  std::optional<booking_view> earlier;
  if (before != nullptr) earlier = view_of(*before, false);
  return changes_between(office_booking_object, earlier ? &*earlier : nullptr, view_of(after, false));
}

} // namespace roost::http
