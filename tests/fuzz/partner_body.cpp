#include "domain/storable_text.hpp"
#include "fuzz/support/bodies.hpp"
#include "fuzz/support/described.hpp"
#include "fuzz/support/target.hpp"
#include "http/partner/partner_bodies.hpp"

#include <array>
#include <string>

/// The JSON bodies of partners: bookings, edits, property creations and webhooks. The first line names the
/// body.
namespace roost::fuzz::partner_body {
namespace {

std::string described(const domain::booking_request& booking) {
  require(!booking.reference || domain::is_storable(*booking.reference), "the store can hold a reference");
  for (const auto* text : {&booking.tenant.first_name, &booking.tenant.email, &booking.external_id})
    require(domain::is_storable(*text), "the store can hold a booking's texts");
  require(booking.occupants >= 1, "a booking has a tenant");
  if (booking.provider_payment)
    require(booking.provider_payment->cents >= 0 && *booking.provider_payment < domain::amount_limit,
            "a payment is below the limit");
  return description{}
      .add(booking.external_id)
      .add(booking.reference)
      .add(booking.check_in)
      .add(booking.check_out)
      .add(booking.occupants)
      .add(booking.provider_payment)
      .add(booking.ota_commission)
      .add(booking.tenant)
      .take();
}

std::string booking(std::string& body) { return described(http::parse_booking_submission(body)); }

std::string listing(std::string& body) {
  const auto update = http::parse_listing_update(body);
  const auto& edit = update.edit;
  require(domain::is_storable(update.external_id), "the store can hold an ID");
  require(domain::are_stay_limits(edit.min_stay_months, edit.max_stay_months), "stay limits are consistent");
  description text;
  text.add(update.external_id)
      .add(edit.rent_fixed)
      .add(edit.rent)
      .add(edit.min_stay_months)
      .add(edit.max_stay_months);
  text.add(edit.extra_price_per_tenant);
  for (const auto& [month, rent] : edit.per_month) {
    require(month >= 1 && month <= 12, "a month is one of twelve");
    text.add(static_cast<int>(month)).add(rent);
  }
  return text.take();
}

std::string property(std::string& body) {
  const auto request = http::parse_property_request(body);
  description text;
  for (const auto* each : {&request.id, &request.address, &request.floor}) {
    require(domain::is_storable(*each), "the store can hold a property's texts");
    text.add(*each);
  }
  text.add(request.internal_name)
      .add(static_cast<int>(request.part_month))
      .add(request.only_deposit_at_move_in);
  text.add(request.security_deposit)
      .add(request.admin_fee)
      .add(request.cleaning_fee)
      .add(request.bills_included);
  text.add(request.bills_max);
  for (const auto& room : request.rooms) {
    require(domain::is_storable(room.id) && room.capacity >= 1, "a room has a storable ID and a capacity");
    text.add(room.id).add(room.whole_property).add(room.internal_name).add(room.number).add(room.rent);
    text.add(room.rent_fixed).add(room.min_stay_months).add(room.max_stay_months).add(room.capacity);
    text.add(room.extra_price_per_tenant);
  }
  return text.take();
}

std::string described(const http::webhook_event& event) {
  require(domain::is_storable(event.listing_reference), "the store can hold a listing's reference");
  return description{}
      .add(static_cast<int>(event.requested))
      .add(event.name)
      .add(event.listing_reference)
      .add(event.linked_only)
      .add(described(event.booking))
      .take();
}

std::string webhook_a(std::string& body) { return described(http::parse_marketplace_a_event(body)); }
std::string webhook_b(std::string& body) { return described(http::parse_marketplace_b_event(body)); }

constexpr std::array<body_kind, 5> kinds{{{"booking", booking},
                                          {"listing", listing},
                                          {"property", property},
                                          {"webhook-a", webhook_a},
                                          {"webhook-b", webhook_b}}};

void check(std::string_view input) { check_named_body(input, kinds); }

const target registered{"partner_body", "BodiesOfPartnersAreReadInAnyForm", check};

} // namespace
} // namespace roost::fuzz::partner_body
