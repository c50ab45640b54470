#include "domain/booking.hpp"

#include "domain/text.hpp"

#include <array>

namespace roost::domain {

std::string_view to_string(request_state state) {
  static constexpr std::array<std::string_view, 4> names{"New", "Success", "Failed", "Dropped"};
  return names[static_cast<std::size_t>(state)];
}

std::string_view to_string(booking_status status) {
  static constexpr std::array<std::string_view, 4> names{"confirmed", "checked_in", "checked_out",
                                                         "cancelled"};
  return names[static_cast<std::size_t>(status)];
}

std::string normalized_reference(std::string_view reference) {
  return is_rfc_uuid(reference) ? lower_case(reference) : std::string{reference};
}

bool is_active(booking_status status) {
  return status == booking_status::confirmed || status == booking_status::checked_in;
}

std::string_view to_string(cancelled_by canceller) {
  static constexpr std::array<std::string_view, 2> names{"platform", "landlord"};
  return names[static_cast<std::size_t>(canceller)];
}

std::string_view to_string(refusal reason) {
  static constexpr std::array<std::string_view, 4> names{
      "unit_not_linked", "overlapping_nights", "provider_payment_missing", "check_out_not_after_check_in"};
  return names[static_cast<std::size_t>(reason)];
}

} // namespace roost::domain
