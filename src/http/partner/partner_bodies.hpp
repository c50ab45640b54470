#pragma once

#include "domain/booking.hpp"
#include "domain/listing_edit.hpp"
#include "domain/property_request.hpp"
#include "json/schema.hpp"

#include <string>
#include <string_view>

/// The bodies of the partner API's requests and responses.
namespace roost::http {

// Bookings

/// Reads a booking submission (Partner API, Booking submission request). Throws bad_request with all
/// messages: unknown keys in the order received, then fields in that section's order. Does not check
/// availability or business rules. The caller sets the request's id, platform and time.
domain::booking_request parse_booking_submission(std::string& body);

/// Returns the stored form of a reference in a path. Throws bad_request if it is not a UUID, or if the body
/// names another one.
std::string require_reference(const domain::booking_request& sent, std::string_view in_path);

/// Returns why a request that books nothing cannot have these dates; null if it can. Stays of more than 100
/// years are refused to limit its work.
inline const char* problem_of_stay(domain::date check_in, domain::date check_out) {
  constexpr domain::days longest_stay{36'525};
  if (check_out <= check_in) return "checkOutDate must be after checkInDate";
  if (check_out - check_in > longest_stay) return "checkOutDate must be at most 36525 days after checkInDate";
  return nullptr;
}

// The booking engine

inline constexpr const char* reversed_stay_limits =
    "Min stay period cannot be greater than max stay period (unless max is 0)";

/// The body of `PUT /<engine-prefix>/listing`.
struct listing_update {
  std::string external_id;
  domain::listing_edit edit;
};

/// Reads and checks a listing update (Partner API, Listing update). Every field is required, also those that
/// are not saved. Throws bad_request.
listing_update parse_listing_update(std::string& body);

/// Reads and checks the body of `POST /<engine-prefix>/property-listing` (Partner API, Property creation).
/// Throws bad_request for every error that the body alone reveals, except those that make a single room fail.
domain::property_request parse_property_request(std::string& body);

// Webhooks

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

/// Returns the response to a delivered event. `message` explains why nothing was done, else is empty.
std::string webhook_receipt(std::string_view message);

// The schemas of these bodies, for OpenAPI documents

void add_booking_schemas(json::schemas& to);
void add_outcome_schemas(json::schemas& to);
void add_change_schemas(json::schemas& to);
void add_hold_schemas(json::schemas& to);
void add_quote_response_schemas(json::schemas& to);
void add_engine_request_schemas(json::schemas& to);
void add_engine_response_schemas(json::schemas& to);
void add_webhook_schemas(json::schemas& to);

} // namespace roost::http
