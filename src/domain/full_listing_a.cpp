#include "domain/full_listing_parts.hpp"

#include <algorithm>

/// Marketplace A's full shape: snake_case, amounts in whole units of the currency, nights inclusive.
namespace roost::domain::full::marketplace_a {

namespace {

void write_location(json_writer& json, const address& at) {
  json.key("location");
  json.begin_object();
  json.field("street", at.street);
  json.field("number", at.number);
  json.field("floor", at.floor);
  json.field("postal_code", at.postal_code);
  json.field("city", at.city);
  json.field("region", at.region);
  json.field("neighborhood", at.neighborhood);
  json.field("country_code", at.country_code);
  json.field("latitude", at.latitude);
  json.field("longitude", at.longitude);
  json.end_object();
}

void write_admin_fee(json_writer& json, const full_source& from) {
  const auto& fee = from.terms.admin_fee;
  const bool tiered = fee.enabled && fee.mode == fee_mode::tiered;
  json.key("admin_fee");
  json.begin_object();
  json.field("value", headline_admin_fee(from.terms));
  json.field("mode", tiered ? "tiered" : "fixed");
  json.key("tiers");
  json.begin_array();
  if (tiered) {
    for (const auto& tier : fee.tiers) {
      json.begin_object();
      json.field("from_days", tier.from_days);
      json.field("value", tier.value);
      json.end_object();
    }
  }
  json.end_array();
  json.end_object();
}

void write_pricing(json_writer& json, const full_source& from) {
  const auto& terms = from.terms;
  const auto& cleaning = from.property.cleaning_fee;
  json.key("listing_pricing");
  json.begin_object();
  json.field("currency_code", currency(from));
  json.field("rent", headline(from));
  json.key("deposit");
  json.begin_object();
  json.field("value", deposit_for_one(terms));
  json.end_object();
  write_admin_fee(json, from);
  json.key("bills");
  json.begin_object();
  json.field("included", terms.bills.included);
  json.field("max_value", terms.bills.included ? terms.bills.max_value : std::nullopt);
  json.end_object();
  json.key("cleaning"); // flags only: its amount is published nowhere in this feed
  json.begin_object();
  json.field("charged", cleaning.enabled);
  json.field("monthly", cleaning.enabled && cleaning.frequency == "monthly");
  json.end_object();
  json.end_object();
}

void write_elements(json_writer& json, const full_source& from) {
  json.key("property_elements");
  json.begin_object();
  json.field("label", from.terms.room_label);
  json.field("capacity", from.terms.capacity);
  json.field("size", from.shown.size_square_metres);
  json.field("parking", from.property.parking.has_value());
  json.end_object();
}

void write_appearance(json_writer& json, const full_source& from) {
  const auto& property = from.property;
  const auto& unit = from.shown;
  json.key("property_images");
  write_images(json, property.images);
  json.key("listing_images");
  write_images(json, unit.images);
  json.key("property_description");
  write_texts(json, property.description);
  json.key("listing_description");
  json.begin_object();
  json.key("title");
  write_texts(json, unit.title);
  json.key("text");
  write_texts(json, unit.description);
  json.end_object();
  json.key("property_features");
  write_words(json, property.features);
  json.key("listing_features");
  write_words(json, unit.features);
  json.key("property_rules");
  write_words(json, property.rules);
  json.field("property_size", property.size_square_metres);
  json.field("floor", floor(from));
}

void write_blocked_periods(json_writer& json, const full_source& from, date today) {
  json.key("blocked_periods");
  json.begin_array();
  for_each_block(from, today, [&](date first, std::optional<date> last) {
    if (!last) return; // the shape has no way to say it
    json.begin_object();
    json.field("from", first);
    json.field("to", *last);
    json.end_object();
  });
  json.end_array();
}

} // namespace

void write(json_writer& json, const full_source& from, date today) {
  const auto& terms = from.terms;
  json.begin_object();
  json.field("reference_id", from.external_id);
  json.field("property_reference_id", to_string(terms.property_id));
  json.field("property_type", to_string(from.property.type));
  json.field("rent_by", to_string(terms.kind));
  write_location(json, from.property.address);
  json.field("available_from", available_from(from, today));
  write_pricing(json, from);
  json.key("stay");
  json.begin_object();
  json.field("min_months", terms.min_stay_months);
  json.field("max_months", terms.max_stay_months);
  json.end_object();
  write_elements(json, from);
  write_appearance(json, from);
  write_blocked_periods(json, from, today);
  json.field("registration_number", from.shown.registration_number);
  json.field("landlord_email", integration_email(from));
  json.field("original_listing_url", from.link_url);
  json.field("created_at", terms.created_at);
  json.field("updated_at", std::max(terms.updated_at, from.property.updated_at));
  json.end_object();
}

} // namespace roost::domain::full::marketplace_a
