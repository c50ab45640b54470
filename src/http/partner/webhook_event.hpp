#pragma once

#include "domain/booking.hpp"
#include "json/schema.hpp"

#include <string>
#include <string_view>

namespace roost::http {

/// An event that a marketplace sends by webhook, in the same terms for both (Partner API, Inbound webhooks).
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

/// Returns the response to an event that was delivered; `message` says why nothing was done, and is empty
/// else.
std::string webhook_receipt(std::string_view message);

/// Adds the schemas of events and of their response.
void add_webhook_schemas(json::schemas& to);

} // namespace roost::http
