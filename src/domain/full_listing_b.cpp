#include "domain/booking_window.hpp"
#include "domain/costs.hpp"
#include "domain/full_listing_parts.hpp"

#include <algorithm>

/// Marketplace B's full shape: camelCase, amounts in cents, blocks that end on the first free day.
namespace roost::domain::full::marketplace_b {

namespace {

void write_address(json_writer& json, const address& at) {
  json.key("address");
  json.begin_object();
  json.field("street", at.street);
  json.field("number", at.number);
  json.field("floor", at.floor);
  json.field("postalCode", at.postal_code);
  json.field("city", at.city);
  json.field("region", at.region);
  json.field("neighborhood", at.neighborhood);
  json.field("countryCode", at.country_code);
  json.field("latitude", at.latitude);
  json.field("longitude", at.longitude);
  json.end_object();
}

/// Twelve months; one that the landlord has not priced is null.
void write_monthly_prices(json_writer& json, const full_source& from) {
  const auto* card = find_card(from.account, from.platform.name);
  const auto& rents = from.terms.rent.per_month;
  json.key("monthlyPrices");
  json.begin_array();
  for (unsigned month = 1; month <= 12; ++month) {
    const auto priced = std::ranges::find(rents, month, &month_rent::month);
    json.begin_object();
    json.field("month", month);
    json.field("price",
               priced != rents.end() ? std::optional(with_markup(priced->rent, card).cents) : std::nullopt);
    json.end_object();
  }
  json.end_array();
}

void write_pricing(json_writer& json, const full_source& from) {
  const bool fixed = from.terms.rent.fixed;
  json.field("pricingType", fixed ? "flat" : "monthly");
  if (fixed)
    json.field("flatPrice", headline(from).cents);
  else
    write_monthly_prices(json, from);
  json.field("currencyCode", currency(from));
}

void write_costs(json_writer& json, const full_source& from) {
  const auto& property = from.property;
  json.key("costs");
  json.begin_object();
  for (const auto& line : costs_of(from.terms, {property.cleaning_fee, property.monthly_bills,
                                                property.membership_fee, property.parking})) {
    json.data_key(line.type);
    json.begin_object();
    json.field("value", line.value.cents);
    json.field("payableBy", costs_payable_by);
    json.field("payableAt", line.payable_at);
    json.field("required", line.required);
    json.field("refundable", line.refundable);
    json.field("isEstimated", line.estimated);
    json.end_object();
  }
  json.end_object();
}

void write_blocked_periods(json_writer& json, const full_source& from, date today) {
  json.key("blockedPeriods");
  json.begin_array();
  for_each_stored_block(from, today, [&](date first, std::optional<date> last) {
    if (!last) return; // the shape has no way to say it
    json.begin_object();
    json.field("startDate", first);
    json.field("endDate", *last + days{1});
    json.end_object();
  });
  json.end_array();
}

void write_facilities(json_writer& json, const full_source& from) {
  const auto& house = from.property.features;
  json.key("facilities");
  json.begin_array();
  for (const auto& name : house) json.value(name);
  for (const auto& name : from.shown.features)
    if (std::ranges::find(house, name) == house.end()) json.value(name);
  json.end_array();
}

void write_all_images(json_writer& json, const full_source& from) {
  json.key("images");
  json.begin_array();
  for (const auto* images : {&from.shown.images, &from.property.images})
    for (const auto& each : *images)
      if (!each.placeholder) json.value(each.url);
  json.end_array();
}

} // namespace

void write(json_writer& json, const full_source& from, date today) {
  const auto& property = from.property;
  const auto& unit = from.shown;
  const auto stay = limits_by_window(from.terms, today);
  json.begin_object();
  json.field("listingReference", from.external_id);
  json.key("title");
  write_texts(json, unit.title);
  json.key("description");
  write_texts(json, unit.description.empty() ? property.description : unit.description);
  write_address(json, property.address);
  json.field("type", to_string(property.type));
  json.field("kind", to_string(from.terms.kind));
  write_pricing(json, from);
  write_costs(json, from);
  json.field("billsIncluded", from.terms.bills.included);
  json.field("capacity", from.terms.capacity);
  json.field("minimumStayMonths", stay.min_months);
  json.field("maximumStayMonths", stay.max_months);
  write_blocked_periods(json, from, today);
  write_facilities(json, from);
  json.key("rules");
  write_words(json, property.rules);
  write_all_images(json, from);
  json.field("minAge", unit.min_age);
  json.field("maxAge", unit.max_age);
  json.field("floor", floor(from));
  json.field("size", unit.size_square_metres);
  json.field("registrationNumber", unit.registration_number);
  json.field("landlordEmail", integration_email(from));
  json.field("createdAt", from.terms.created_at);
  json.field("updatedAt", std::max(from.terms.updated_at, property.updated_at));
  json.end_object();
}

} // namespace roost::domain::full::marketplace_b
