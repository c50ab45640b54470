#include "domain/full_listing_parts.hpp"

#include <algorithm>

/// Marketplace C's full shape: a home with its bedrooms, amounts in whole units of the currency, nights
/// inclusive. What is rented by the room carries its price and its nights inside `bedrooms`.
namespace roost::domain::full::marketplace_c {

namespace {

bool is_shared(const full_source& from) { return from.terms.kind != unit_kind::property; }

void write_copy(json_writer& json, const full_source& from) {
  json.key("copy");
  json.begin_object();
  json.key("title");
  write_texts(json, from.shown.title);
  json.key("description");
  write_texts(json, from.shown.description);
  json.end_object();
}

void write_suitability(json_writer& json, const full_source& from) {
  json.key("suitability");
  json.begin_object();
  json.field("capacity", from.terms.capacity);
  json.field("min_age", from.shown.min_age);
  json.field("max_age", from.shown.max_age);
  json.key("rules");
  write_words(json, from.property.rules);
  json.end_object();
}

void write_location(json_writer& json, const address& at) {
  json.key("location");
  json.begin_object();
  json.field("street", at.street);
  json.field("number", at.number);
  json.field("postal_code", at.postal_code);
  json.field("city", at.city);
  json.field("region", at.region);
  json.field("neighborhood", at.neighborhood);
  json.field("country_code", at.country_code);
  json.field("latitude", at.latitude);
  json.field("longitude", at.longitude);
  json.end_object();
}

void write_amounts(json_writer& json, const full_source& from) {
  json.field("monthly", headline(from));
  json.field("deposit", deposit_for_one(from.terms));
  json.field("admin_fee", headline_admin_fee(from.terms));
}

void write_pricing(json_writer& json, const full_source& from) {
  const auto& cleaning = from.property.cleaning_fee;
  const auto& bills = from.terms.bills;
  json.key("pricing");
  json.begin_object();
  if (!is_shared(from)) write_amounts(json, from);
  json.key("servicesAndExpenses");
  json.begin_object();
  json.field("periodicCleaning", cleaning.enabled ? cleaning.value : money{});
  json.field("billsIncluded", bills.included);
  json.field("billsIncludedMaxValue", bills.included ? bills.max_value : std::nullopt);
  json.end_object();
  json.end_object();
}

void write_occupancies(json_writer& json, const full_source& from, date today) {
  json.key("availabilities");
  json.begin_object();
  json.key("occupancies");
  json.begin_array();
  for_each_block(from, today, [&](date first, std::optional<date> last) {
    json.begin_object();
    json.field("from", first);
    json.field("to", last);
    json.end_object();
  });
  json.end_array();
  json.end_object();
}

void write_bedrooms(json_writer& json, const full_source& from, date today) {
  json.key("bedrooms");
  json.begin_array();
  if (is_shared(from)) {
    json.begin_object();
    json.field("id", to_string(from.terms.id));
    json.field("name", from.terms.room_label);
    json.field("area", from.shown.size_square_metres);
    json.key("pricing");
    json.begin_object();
    write_amounts(json, from);
    json.end_object();
    write_occupancies(json, from, today);
    json.key("features");
    write_words(json, from.shown.features);
    json.key("images");
    write_images(json, from.shown.images);
    json.end_object();
  }
  json.end_array();
}

void write_property(json_writer& json, const full_source& from) {
  const auto& property = from.property;
  json.key("property");
  json.begin_object();
  json.field("id", to_string(property.id));
  json.field("type", to_string(property.type));
  json.field("floor", property.address.floor);
  json.field("area", property.size_square_metres);
  json.key("description");
  write_texts(json, property.description);
  json.key("features");
  write_words(json, property.features);
  json.key("images");
  write_images(json, property.images);
  json.end_object();
}

} // namespace

void write(json_writer& json, const full_source& from, date today) {
  const auto& terms = from.terms;
  json.begin_object();
  json.field("id", from.external_id);
  json.field("type", to_string(terms.kind));
  write_copy(json, from);
  write_suitability(json, from);
  write_location(json, from.property.address);
  write_pricing(json, from);
  json.field("area", from.shown.size_square_metres);
  json.key("availabilities");
  json.begin_object();
  json.field("available_from", available_from(from, today));
  json.end_object();
  json.field("instant_booking", true); // the landlord is not asked
  json.key("stay");
  json.begin_object();
  json.field("min_months", terms.min_stay_months);
  json.field("max_months", terms.max_stay_months);
  json.end_object();
  json.field("status", "published");
  json.field("landlord_email", integration_email(from));
  write_property(json, from);
  write_bedrooms(json, from, today);
  json.field("created_at", terms.created_at);
  json.field("updated_at", std::max(terms.updated_at, from.property.updated_at));
  json.end_object();
}

} // namespace roost::domain::full::marketplace_c
