#include "service/support/mixed_requests.hpp"

#include "service/support/booking_load.hpp"

#include <array>
#include <chrono>

namespace roost::testing {

namespace {

using event_type = client_event::type;

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string unit_name(const client_event& event) { return "u" + std::to_string(event.unit); }

http_call to_submission(const client_event& event) {
  return {"POST", "/" + event.platform + "/bookings",
          R"({"checkInDate":")" + domain::to_string(event.check_in) + R"(","checkOutDate":")" +
              domain::to_string(event.check_out) + R"(","externalId":")" + unit_name(event) +
              R"(","bookingId":")" + event.reference +
              R"(","platformProviderPaymentValue":650,"tenant":{"firstName":"Eva","email":)" +
              quoted(event.email) + "}}"};
}

http_call to_event(const client_event& event) {
  const bool paid = event.kind == event_type::paid;
  const auto unit = quoted(unit_name(event)), reference = quoted(event.reference);
  const auto check_in = quoted(domain::to_string(event.check_in)),
             check_out = quoted(domain::to_string(event.check_out));
  if (event.platform == "marketplace-a")
    return {"POST", "/marketplace-a/webhook",
            std::string{R"({"event":)"} + (paid ? R"("booking-paid")" : R"("booking-cancelled")") +
                R"(,"offer_api_reference":)" + unit + R"(,"booking_id":)" + reference +
                R"(,"move_in_date":)" + check_in + R"(,"move_out_date":)" + check_out +
                R"(,"contract_price_amount":65000})"};
  return {"POST", "/marketplace-b/casa-verde/webhook",
          std::string{R"({"notification_type":)"} + (paid ? R"("booking_paid")" : R"("booking_cancelled")") +
              R"(,"listing_external_reference":)" + unit + R"(,"booking_uuid":)" + reference +
              R"(,"booking_start_date":)" + check_in + R"(,"booking_end_date":)" + check_out +
              R"(,"booking_price":"65000"})"};
}

http_call to_edit(const client_event& event) {
  return {"PUT", "/booking-engine/listing",
          R"({"externalId":")" + unit_name(event) + R"(","isRentFixed":true,"rent":)" +
              std::to_string(event.rent) +
              R"(,"rentsPerMonth":[],"minStayPeriod":0,"maxStayPeriod":0,"extraPricePerTenant":0,)"
              R"("availableFrom":"2027-01-01","capacity":2,"cleaningFeeValue":0,"billsIncludedMaxValue":0,)"
              R"("adminFeeValue":0,"depositValue":0,"landlordEmail":"a@b.example","unavailabilities":[]})"};
}

http_call to_property(const client_event& event, const std::string& key) {
  const auto room = [&](int number, const std::string& name) {
    return R"({"id":)" + std::to_string(number) + R"(,"accommodation":"rooms","internalName":)" +
           quoted(name) + R"(,"rent":500,"fixedRent":true})";
  };
  return {"POST",
          "/booking-engine/property-listing",
          R"({"id":)" + quoted(event.reference) + R"(,"address":"Rua 1","rooms":[)" +
              room(1, event.reference + " one") + "," +
              room(2, event.reference + (event.has_invalid_room ? " one" : " two")) + "]}",
          {{"svc-api-key", key}}};
}

} // namespace

std::string to_string(client_event::type kind) {
  switch (kind) {
  case event_type::submission:
    return "submission";
  case event_type::paid:
    return "paid event";
  case event_type::cancel:
    return "cancel event";
  case event_type::edit:
    return "listing update";
  case event_type::property:
    return "new property";
  }
  return "";
}

mixed_client::mixed_client(const mixed_settings& settings, unsigned number)
    : settings_(settings), number_(number), random_{settings.seed * 1'000 + number} {}

client_event mixed_client::next() {
  const int choice = between(1, 100);
  if (choice <= 12 && !booked_.empty()) return any_booked(); // a repetition
  if (choice <= 30 && !booked_.empty()) {
    auto cancel = any_booked();
    cancel.kind = event_type::cancel;
    if (cancel.platform == "marketplace-a" || cancel.platform == "marketplace-b") return cancel;
  }
  if (choice <= 38) return new_edit();
  if (choice <= 42) return new_property();
  return new_booking();
}

client_event mixed_client::any_booked() {
  if (settings_.newest_percent > 0 && between(1, 100) <= settings_.newest_percent) return booked_.back();
  return booked_[static_cast<std::size_t>(between(0, static_cast<int>(booked_.size()) - 1))];
}

client_event mixed_client::new_booking() {
  constexpr std::array platforms{"marketplace-a", "marketplace-b",  "marketplace-c",
                                 "marketplace-d", "booking-engine", "channel-manager"};
  constexpr int horizon = 1'500, min_long_stay = 25, max_long_stay = 70;
  client_event booking;
  booking.platform = platforms[static_cast<std::size_t>(between(0, platforms.size() - 1))];
  const bool has_webhook = booking.platform == "marketplace-a" || booking.platform == "marketplace-b";
  booking.kind = has_webhook && between(0, 2) > 0 ? event_type::paid : event_type::submission;
  booking.unit = static_cast<unsigned>(between(1, static_cast<int>(settings_.units)));
  booking.check_in =
      std::chrono::floor<domain::days>(std::chrono::system_clock::now()) + domain::days{between(2, horizon)};
  booking.check_out =
      booking.check_in + domain::days{between(0, 4) ? between(1, 5) : between(min_long_stay, max_long_stay)};
  booking.reference = random_reference(random_);
  booked_.push_back(booking);
  return booking;
}

client_event mixed_client::new_edit() {
  client_event edit;
  edit.kind = event_type::edit;
  edit.platform = "booking-engine";
  edit.unit = static_cast<unsigned>(between(1, static_cast<int>(settings_.units)));
  edit.rent = between(600, 900);
  return edit;
}

client_event mixed_client::new_property() {
  client_event property;
  property.kind = event_type::property;
  property.platform = "booking-engine";
  property.reference = "p" + std::to_string(number_) + "-" + std::to_string(++properties_);
  property.has_invalid_room = between(0, 2) == 0;
  return property;
}

http_call mixed_client::to_call(const client_event& event) const {
  auto call = [&] {
    switch (event.kind) {
    case event_type::submission:
      return to_submission(event);
    case event_type::edit:
      return to_edit(event);
    case event_type::property:
      return to_property(event, settings_.account_key);
    default:
      return to_event(event);
    }
  }();
  call.fields.emplace_back("Authorization", "Bearer " + settings_.tokens.at(event.platform));
  call.fields.emplace_back("Content-Type", "application/json");
  return call;
}

} // namespace roost::testing
