#include "domain/full_listing_parts.hpp"

#include <algorithm>
#include <utility>

/// Marketplace D's full shape: a house with one room, amounts in whole units of the currency, nights
/// inclusive, texts by language.
namespace roost::domain::full::marketplace_d {

namespace {

/// The stored ID `<property_id>_<room_id>` in its two parts, neither with an underscore. Without one the room
/// is the unit's UUID; so it is for a unit that is not linked.
std::pair<std::string_view, std::string> house_and_room(const full_source& from) {
  const auto separator = from.external_id.find('_');
  if (separator == std::string_view::npos) return {from.external_id, to_string(from.terms.id)};
  auto room = std::string(from.external_id.substr(separator + 1));
  std::erase(room, '_');
  return {from.external_id.substr(0, separator), std::move(room)};
}

void write_address(json_writer& json, const address& at) {
  json.key("address");
  json.begin_object();
  json.field("street", at.street);
  json.field("number", at.number);
  json.field("floor", at.floor);
  json.field("postalCode", at.postal_code);
  json.field("city", at.city);
  json.field("countryCode", at.country_code);
  json.end_object();
  json.key("coordinates");
  json.begin_object();
  json.field("latitude", at.latitude);
  json.field("longitude", at.longitude);
  json.end_object();
  json.field("region", at.region);
  json.field("neighborhood", at.neighborhood);
}

void write_amenities(json_writer& json, const full_source& from) {
  const auto& house = from.property.features;
  const auto& room = from.shown.features;
  json.key("amenities");
  json.begin_object();
  json.field("houseCount", house.size());
  json.field("roomCount", room.size());
  json.key("flags");
  json.begin_object();
  for (const auto& name : house) {
    json.data_key(name);
    json.value(true);
  }
  for (const auto& name : room) {
    if (std::ranges::find(house, name) != house.end()) continue;
    json.data_key(name);
    json.value(true);
  }
  json.end_object();
  json.end_object();
  json.key("houseRules");
  write_words(json, from.property.rules);
}

void write_unavailability(json_writer& json, const full_source& from, date today) {
  json.key("unavailability");
  json.begin_array();
  for_each_block(from, today, [&](date first, std::optional<date> last) {
    json.begin_object();
    json.field("start", first);
    json.field("end", last);
    json.end_object();
  });
  json.end_array();
}

/// There are no prices by month in this shape: the rent is the highest month's, three times.
void write_room(json_writer& json, const full_source& from, std::string_view id, date today) {
  const auto& terms = from.terms;
  const auto rent = headline(from);
  json.key("room");
  json.begin_object();
  json.field("id", id);
  json.field("name", terms.room_label);
  json.field("type", to_string(terms.kind));
  json.field("size", from.shown.size_square_metres);
  json.field("fixedRent", true);
  json.field("rent", rent);
  json.field("minRent", rent);
  json.field("maxRent", rent);
  json.field("extraTenantsPrice", extra_price_per_tenant(terms));
  json.field("maxTenants", terms.capacity);
  json.field("billsIncluded", terms.bills.included);
  json.field("minimumStayMonths", terms.min_stay_months);
  json.field("maximumStayMonths", terms.max_stay_months);
  json.field("availableFrom", available_from(from, today));
  json.key("photos");
  write_images(json, from.shown.images);
  write_unavailability(json, from, today);
  json.end_object();
}

} // namespace

void write(json_writer& json, const full_source& from, date today) {
  const auto& terms = from.terms;
  const auto& property = from.property;
  const auto [house, room] = house_and_room(from);
  json.begin_object();
  json.field("id", house);
  json.key("title");
  write_texts(json, from.shown.title);
  json.key("description");
  write_texts(json, from.shown.description.empty() ? property.description : from.shown.description);
  json.field("type", to_string(property.type));
  write_address(json, property.address);
  json.key("photos");
  write_images(json, property.images);
  write_amenities(json, from);
  json.field("securityDeposit", deposit_for_one(terms));
  json.field("extraAdministrativeFee", headline_admin_fee(from.terms));
  json.field("cleaningLadyPrice", property.cleaning_fee.enabled ? property.cleaning_fee.value : money{});
  json.field("landlord_email", integration_email(from));
  write_room(json, from, room, today);
  json.field("creationDate", terms.created_at);
  json.field("modificationDate", terms.updated_at);
  json.field("updated", std::max(terms.updated_at, property.updated_at));
  json.end_object();
}

} // namespace roost::domain::full::marketplace_d
