#pragma once

#include "domain/booking.hpp"
#include "domain/stay_decision.hpp"
#include "json/schema.hpp"

#include <optional>
#include <span>
#include <string>

/// The bodies of requests about bookings and quotes.
namespace roost::http {

/// A stay that the office asks for.
struct stay_body {
  domain::uuid unit_id{};
  std::optional<std::string> platform_name;
  std::optional<domain::date> check_in, check_out;
  int occupants = 1;
  std::optional<domain::money> provider_payment;
  const domain::platform* platform = nullptr; ///< the configured one; null: none

  domain::requested_stay stay(domain::date confirmed_on) const {
    return {*check_in, *check_out, occupants, provider_payment, confirmed_on};
  }
};

struct booking_body : stay_body {
  std::optional<domain::uuid> id;
  domain::tenant_details tenant;
};

/// Other dates, another unit or other occupants; unset members stay.
struct booking_change_body {
  std::optional<domain::uuid> unit_id;
  std::optional<domain::date> check_in, check_out;
  std::optional<int> occupants;
};

// These throw bad_request with all messages.

stay_body read_quote_request(std::string& body, std::span<const domain::platform> platforms);
booking_body read_booking_creation(std::string& body, std::span<const domain::platform> platforms);
booking_change_body read_booking_change(std::string& body);
/// Returns the reason.
std::string read_booking_cancellation(std::string& body);

/// Returns a text that is the same for the same request, apart from its id.
std::string text_of(const booking_body& body);

/// Adds the schemas `QuoteRequest`, `BookingCreation`, `BookingChange` and `BookingCancellation`.
void add_booking_body_schemas(json::schemas& to);

} // namespace roost::http
