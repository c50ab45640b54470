#pragma once

#include "domain/booking.hpp"
#include "json/schema.hpp"

#include <string>
#include <string_view>

namespace roost::http {

/// A webhook event of either marketplace, in common terms (Partner API, Inbound webhooks).
struct webhook_event {
  enum class action {
    none, ///< acknowledged without action
    book,
    cancel,
  };

  action requested = action::none;
  std::string name; ///< the event, as sent
  std::string listing_reference;
  bool linked_only = false; ///< the reference is an offer's number, never a unit's UUID

  /// Holds the booking's reference; for a paid event also dates, payment, occupants and tenant.
  domain::booking_request booking;
};

/// The error text for an event of marketplace A without a name.
inline constexpr const char* missing_event = "Uniplaces-style webhook event is required";

/// Parses and checks a body, in the order of Partner API, Inbound webhooks. Throws bad_request.
webhook_event parse_marketplace_a_event(std::string& body);
webhook_event parse_marketplace_b_event(std::string& body);

/// Returns the response to a delivered event; `message` explains why nothing was done, and is empty
/// otherwise.
std::string webhook_receipt(std::string_view message);

/// Adds the schemas of the events and their response.
void add_webhook_schemas(json::schemas& to);

} // namespace roost::http
