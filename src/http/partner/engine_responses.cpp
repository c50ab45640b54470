#include "http/partner/engine_responses.hpp"

#include "domain/json.hpp"
#include "http/partner/listing_update.hpp"

#include <stdexcept>

namespace roost::http {

namespace {

using domain::json_writer;

const char* name_of(domain::due_item item) {
  switch (item) {
  case domain::due_item::first_rent:
    return "firstRent";
  case domain::due_item::last_rent:
    return "lastRent";
  case domain::due_item::deposit:
    return "deposit";
  case domain::due_item::admin_fee:
    return "adminFee";
  case domain::due_item::cleaning_fee:
    return "cleaningFee";
  }
  throw std::logic_error("unknown value");
}

void write_items(json_writer& json, const std::vector<domain::due_item>& items) {
  json.begin_array();
  for (const auto item : items) json.value(name_of(item));
  json.end_array();
}

void write_property(json_writer& json, const domain::property& property, std::string_view id) {
  json.begin_object();
  json.field("id", id);
  json.field("propertyId", domain::to_string(property.id));
  json.field("internalName", property.internal_name);
  json.field("address", property.address.street);
  json.field("floor", property.address.floor);
  json.field("type", domain::to_string(property.type));
  json.field("contractType", property.contract_type);
  json.field("incompleteRentType", domain::to_string(property.part_month));
  if (property.payment_terms) {
    json.key("dueAtConfirmation");
    write_items(json, property.payment_terms->confirmation);
    json.key("dueAtMoveIn");
    write_items(json, property.payment_terms->check_in);
  }
  json.field("cleaningLadyPrice",
             property.cleaning_fee.enabled ? property.cleaning_fee.value : domain::money{});
  json.field("createdAt", property.created_at);
  json.field("updatedAt", property.updated_at);
  json.end_object();
}

void write_unit(json_writer& json, const domain::created_unit& unit, std::string_view platform) {
  const auto& terms = unit.terms;
  json.begin_object();
  json.field("externalId", unit.external_id);
  json.field("integrationPlatform", platform);
  json.field("listingId", domain::to_string(terms.id));
  json.field("propertyId", domain::to_string(terms.property_id));
  json.field("internalName", terms.internal_name);
  json.field("kind", domain::to_string(terms.kind));
  json.field("roomLabel", terms.room_label);
  json.field("isRentFixed", terms.rent.fixed);
  json.field("rent", terms.rent.amount);
  json.field("minStayPeriod", terms.min_stay_months);
  json.field("maxStayPeriod", terms.max_stay_months);
  json.field("capacity", terms.capacity);
  json.field("extraPricePerTenant", terms.extra_price_per_tenant);
  json.field("billsIncluded", terms.bills.included);
  json.field("billsIncludedMaxValue", terms.bills.max_value);
  json.field("adminFeeValue", terms.admin_fee.value);
  json.field("depositValue", domain::deposit_for_one(terms));
  json.field("createdAt", terms.created_at);
  json.field("updatedAt", terms.updated_at);
  json.end_object();
}

} // namespace

std::string created_json(const domain::created_property& created, std::string_view id,
                         std::string_view platform) {
  json_writer json;
  json.begin_object();
  json.key("property");
  write_property(json, *created.property, id);
  json.key("listings");
  json.begin_array();
  for (const auto& unit : created.units) write_unit(json, unit, platform);
  json.end_array();
  json.end_object();
  return std::string{json.text()};
}

std::string nothing_created_json() { return R"({"property":null,"listings":[]})"; }

std::string housemates_json(const std::vector<domain::housemate>& residents) {
  json_writer json;
  json.begin_array();
  for (const auto& resident : residents) {
    json.begin_object();
    json.field("name",
               resident.last_name ? resident.first_name + ' ' + *resident.last_name : resident.first_name);
    json.field("nationality", resident.nationality);
    json.field("moveIn", resident.move_in);
    json.field("moveOut", resident.move_out);
    for (const auto* reserved : {"photo", "age", "occupation", "gender"}) {
      json.data_key(reserved);
      json.null();
    }
    json.end_object();
  }
  json.end_array();
  return std::string{json.text()};
}

error to_error(domain::room_problem why) {
  switch (why) {
  case domain::room_problem::rent_not_fixed:
    return bad_request("Rent per month is required when rent is not fixed");
  case domain::room_problem::stay_limits_reversed:
    return bad_request(reversed_stay_limits);
  case domain::room_problem::id_taken:
    return bad_request("Listing with this externalId already exists");
  case domain::room_problem::name_taken:
    return bad_request("Listing with this internal name already exists");
  }
  throw std::logic_error("unknown value");
}

} // namespace roost::http
