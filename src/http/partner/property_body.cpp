#include "http/partner/property_body.hpp"

#include "domain/mapping.hpp"
#include "domain/unit_limits.hpp"
#include "http/json/object_reader.hpp"

#include <set>

namespace roost::http {

namespace {

using enum presence;
constexpr std::size_t longest_id = 256;
constexpr std::string_view only_the_deposit = "Security Deposit";

bool is_blank(std::string_view text) { return text.find_first_not_of(' ') == std::string_view::npos; }

/// Nothing for a blank one, too: no unit and no property has such a name.
std::optional<std::string> read_name(object_reader& fields, std::string_view key) {
  auto name = fields.text(key, optional, domain::longest_name);
  return name && !is_blank(*name) ? name : std::nullopt;
}

/// A part of an external ID, whose first underscore parts the property from the room.
void check_part(object_reader& fields, std::string_view key, const std::optional<std::string>& id) {
  if (id && id->find('_') != std::string::npos)
    fields.refuse(std::string{key} + " must not contain an underscore");
}

std::string read_id(object_reader& fields) {
  auto id = fields.text("id", required, longest_id);
  if (id && is_blank(*id)) fields.refuse("id must be a string");
  check_part(fields, "id", id);
  return std::move(id).value_or("");
}

std::string read_address(object_reader& fields) {
  auto address = fields.text("address", required, domain::longest_name);
  if (address && is_blank(*address)) fields.refuse("address must be a string");
  return std::move(address).value_or("");
}

domain::part_month read_part_month(object_reader& fields) {
  const auto sent = fields.text("incompleteRentType", optional).value_or("daily");
  if (sent == "daily") return domain::part_month::daily;
  if (sent == "monthly") return domain::part_month::monthly;
  if (sent == "biweekly" || sent == "fortnightly") return domain::part_month::fortnightly;
  fields.refuse(
      "incompleteRentType must be one of the following values: daily, monthly, biweekly, fortnightly");
  return domain::part_month::daily;
}

/// An amount that comes as a string.
domain::money read_text_amount(object_reader& fields, std::string_view key) {
  const auto text = fields.text(key, optional);
  if (!text) return {};
  if (!domain::is_number(*text)) {
    fields.refuse(std::string{key} + " must be a number string");
    return {};
  }
  const auto amount = domain::parse_money(*text).value_or(domain::amount_limit);
  if (text->front() == '-' && amount != domain::money{0})
    fields.refuse(std::string{key} + " must not be less than 0");
  if (amount >= domain::amount_limit) fields.columns().out_of_range();
  return amount;
}

/// A room needs the ID that it is linked under; a whole property is linked under the property's.
std::string read_room_id(object_reader& fields, bool whole_property) {
  auto id = fields.identifier("id", whole_property ? optional : required, longest_id);
  if (whole_property) return {};
  if (id && is_blank(*id)) fields.refuse("id must be a string or a number");
  check_part(fields, "id", id);
  return std::move(id).value_or("");
}

domain::room_request read_room(object_reader& fields) {
  domain::room_request room;
  room.whole_property = fields.text("accommodation", optional) != "rooms";
  room.id = read_room_id(fields, room.whole_property);
  room.internal_name = read_name(fields, "internalName");
  room.number = fields.number_text("number", optional);
  room.rent = fields.amount("rent", optional).value_or(domain::money{});
  room.rent_fixed = fields.flag("fixedRent", optional).value_or(false);
  constexpr int longest_stay = domain::longest_stay_months;
  room.min_stay_months = fields.count("periodStayMin", optional, 0, longest_stay).value_or(0);
  const auto max_stay = fields.count("periodStayMax", optional, 0, longest_stay);
  if (fields.text("periodStayMaxBoolean", optional) == "true") room.max_stay_months = max_stay.value_or(0);
  room.capacity = fields.count("numPeople", optional, 1, domain::largest_capacity).value_or(1);
  room.extra_price_per_tenant = fields.amount("extraTenantsPrice", optional).value_or(domain::money{});
  return room;
}

/// Two units of one request cannot have the same ID, nor can an ID be longer than any that is linked.
void check_external_ids(const domain::property_request& wanted, json_body& body) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < wanted.rooms.size(); ++i) {
    auto id = domain::external_id_of(wanted, wanted.rooms[i]);
    if (length_of(id) > longest_id) body.columns().too_long();
    if (!ids.insert(std::move(id)).second) body.refuse("rooms." + std::to_string(i) + ".id must be unique");
  }
}

} // namespace

domain::property_request parse_property_request(std::string& text) {
  json_body body{text};
  // The last ones are accepted and not saved.
  object_reader fields{body,
                       {"id", "address", "floor", "internal_name", "incompleteRentType", "paidAtMovinDate",
                        "securityDeposit", "extraAdministrativeFee", "cleaningLadyPrice", "billsIncluded",
                        "billsMax", "rooms", "photos", "amenities", "visitTimes", "visit_times", "houseRules",
                        "house_rules"}};
  domain::property_request wanted;
  wanted.id = read_id(fields);
  wanted.address = read_address(fields);
  wanted.floor = fields.text("floor", optional, domain::longest_name).value_or("");
  wanted.internal_name = read_name(fields, "internal_name");
  wanted.part_month = read_part_month(fields);
  wanted.only_deposit_at_move_in = fields.text("paidAtMovinDate", optional) == only_the_deposit;
  wanted.security_deposit = read_text_amount(fields, "securityDeposit");
  wanted.admin_fee = fields.amount("extraAdministrativeFee", optional).value_or(domain::money{});
  wanted.cleaning_fee = fields.amount("cleaningLadyPrice", optional).value_or(domain::money{});
  wanted.bills_included = fields.flag("billsIncluded", optional).value_or(false);
  wanted.bills_max = fields.amount("billsMax", optional);
  fields.objects("rooms", optional,
                 {"accommodation", "id", "internalName", "number", "rent", "fixedRent", "periodStayMin",
                  "periodStayMax", "periodStayMaxBoolean", "numPeople", "extraTenantsPrice"},
                 unknown_keys::discarded,
                 [&](object_reader& room) { wanted.rooms.push_back(read_room(room)); });
  body.throw_if_refused();
  check_external_ids(wanted, body);
  body.throw_if_any();
  return wanted;
}

} // namespace roost::http
