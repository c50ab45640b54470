#pragma once

#include "domain/booking.hpp"

#include <string>

namespace roost::http {

/// What a marketplace tells by webhook, in the same terms for both of them (Partner API, Inbound webhooks).
struct webhook_event {
  enum class action {
    none, ///< acknowledged without doing anything
    book,
    cancel,
  };

  action wanted = action::none;
  std::string name; ///< the event, as it was sent
  std::string listing_reference;
  bool linked_only = false; ///< the reference is an offer's number, which no unit's UUID can be

  /// The booking's reference; of a paid event also dates, payment, occupants and tenant.
  domain::booking_request booking;
};

/// What an event of marketplace A without a name is refused with.
inline constexpr const char* missing_event = "Uniplaces-style webhook event is required";

/// Read and check a body (Partner API, Inbound webhooks: checked in this order); throw bad_request.
webhook_event parse_marketplace_a_event(std::string& body);
webhook_event parse_marketplace_b_event(std::string& body);

} // namespace roost::http
