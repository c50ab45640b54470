#include "domain/mapping.hpp"
#include "domain/unit.hpp"
#include "http/json/body.hpp"
#include "http/partner/partner_bodies.hpp"

#include <array>
#include <cmath>
#include <set>

namespace roost::http {

namespace {

constexpr int months_a_year = 12;

/// A stay limit in months, with the messages that clients know.
struct stay_months {
  std::string_view name;

  constexpr json::facts schema_facts() const {
    return {.type = "integer", .minimum = 0, .maximum = domain::max_stay_limit_months};
  }
  std::optional<int> read(object_reader& fields, std::string_view key, presence expected) const {
    const auto months = fields.number(key, expected);
    if (!months) return std::nullopt;
    if (*months < 0 || *months != std::floor(*months))
      fields.refuse(std::string{name} + " stay period must be a non-negative integer");
    else if (*months > domain::max_stay_limit_months)
      fields.refuse_range(key, "must not be greater than " + std::to_string(domain::max_stay_limit_months));
    else
      return static_cast<int>(*months);
    return std::nullopt;
  }
};

struct sent_rent {
  std::optional<unsigned> month;
  std::optional<domain::money> rent;
};

constexpr auto rent_row =
    json::object<sent_rent>(
        "", field("month", kind::whole{1, months_a_year}, &sent_rent::month, "1 is January, 12 is December"),
        field("rent", kind::amount{}, &sent_rent::rent,
              "The rent of this month in the landlord's currency, without markup"))
        .closed();

/// Refuses a month that is sent twice: its rent would be ambiguous.
constexpr auto add_rent = [](listing_update& to, sent_rent sent, object_reader& row) {
  if (!sent.month || !sent.rent) return;
  if (!to.edit.per_month.emplace(*sent.month, *sent.rent).second) row.refuse("month must be unique");
};

struct nothing {};

constexpr auto unavailability_row =
    json::object<nothing>("", field("from", kind::day{}, ignored, "A date, YYYY-MM-DD; not saved"),
                          field("to", kind::day{}, ignored, "A date, YYYY-MM-DD; not saved"),
                          field("reason", kind::text{}, ignored, "Any text; not saved"))
        .closed();

/// Stores a value of the edit, unless it is missing.
template <typename V>
constexpr auto edit(V domain::listing_edit::*member) {
  return [member](listing_update& to, auto sent) {
    if (sent) to.edit.*member = *sent;
  };
}

/// A number that the engine sends but only the landlord can change.
template <std::size_t Size>
constexpr auto unsaved(const char (&name)[Size], std::string_view meaning) {
  return field(name, kind::number{}, ignored, meaning);
}

constexpr auto update_body =
    json::object<listing_update>(
        "ListingUpdate",
        field("externalId", kind::line{domain::max_external_id_length, kind::filled::not_empty},
              &listing_update::external_id, "The unit to update, by your ID"),
        field("isRentFixed", kind::flag{}, edit(&domain::listing_edit::rent_fixed),
              "true clears the monthly schedule"),
        field("rent", kind::amount{}, edit(&domain::listing_edit::rent),
              "Rent a month in the currency of the landlord's account, without markup, stored with two "
              "decimals. 0 takes the unit out of the reads until it has a price"),
        rows_field("rentsPerMonth", rent_row, add_rent,
                   "Each month once; a missing month costs rent. Empty for a fixed rent",
                   json::max_items{months_a_year}),
        field("minStayPeriod", stay_months{"Min"}, edit(&domain::listing_edit::min_stay_months),
              "Shortest stay in whole months; 0: no minimum"),
        field("maxStayPeriod", stay_months{"Max"}, edit(&domain::listing_edit::max_stay_months),
              "Longest stay in whole months, not below minStayPeriod; 0: no maximum"),
        field("extraPricePerTenant", kind::amount{}, edit(&domain::listing_edit::extra_price_per_tenant),
              "Price a month of each occupant after the first, in the landlord's currency"),
        field("availableFrom", kind::day{}, ignored,
              "A date, YYYY-MM-DD. Not saved: it follows from the calendar"),
        unsaved("capacity", "Occupants. Not saved: only the landlord changes it"),
        unsaved("cleaningFeeValue",
                "An amount in the landlord's currency. Not saved: only the landlord changes it"),
        unsaved("billsIncludedMaxValue",
                "An amount a month in the landlord's currency. Not saved: only the landlord changes it"),
        unsaved("adminFeeValue",
                "An amount in the landlord's currency. Not saved: only the landlord changes it"),
        unsaved("depositValue",
                "An amount in the landlord's currency. Not saved: only the landlord changes it"),
        field("landlordEmail", kind::text{}, ignored, "Any text. Not saved: only the landlord changes it"),
        rows_field("unavailabilities", unavailability_row, ignored,
                   "Not saved: bookings and the landlord block nights"))
        .closed()
        .means("Send the amounts to store, not the prices that you read: those include the markup")
        .example(R"({"externalId":"5120_r7","isRentFixed":false,"rent":650,
"rentsPerMonth":[{"month":7,"rent":800},{"month":8,"rent":820.5}],"minStayPeriod":1,"maxStayPeriod":11,
"extraPricePerTenant":50,"availableFrom":"2027-02-01","capacity":2,"cleaningFeeValue":0,"billsIncludedMaxValue":0,
"adminFeeValue":150,"depositValue":650,"landlordEmail":"feeds@casaverde.example",
"unavailabilities":[{"from":"2027-03-01","to":"2027-03-31","reason":"Unavailable"}]})");

using domain::money;
using domain::property_request;
using domain::room_request;

constexpr std::size_t max_id_length = 256;
constexpr kind::line id_line{max_id_length, kind::filled::not_blank};

/// A name; a blank one counts as missing, because no unit or property has such a name.
struct name {
  constexpr json::facts schema_facts() const {
    return {.type = "string", .required = false, .max_length = domain::max_name_length};
  }
  std::optional<std::string> read(object_reader& fields, std::string_view key, presence expected) const {
    auto name = fields.text(key, expected, domain::max_name_length);
    return name && !is_blank(*name) ? name : std::nullopt;
  }
};

/// Refuses an underscore in a part of an external ID, as the first one separates the property from the room.
void check_part(object_reader& fields, std::string_view key, const std::optional<std::string>& id) {
  if (id && id->find('_') != std::string::npos)
    fields.refuse(std::string{key} + " must not contain an underscore");
}

struct property_id {
  constexpr json::facts schema_facts() const { return id_line.schema_facts(); }
  std::optional<std::string> read(object_reader& fields, std::string_view key, presence expected) const {
    auto id = id_line.read(fields, key, expected);
    check_part(fields, key, id);
    return id;
  }
};

constexpr std::array<std::string_view, 4> part_month_names{"daily", "monthly", "biweekly", "fortnightly"};

struct part_month_name {
  constexpr json::facts schema_facts() const {
    return {.type = "string", .required = false, .names = part_month_names, .initial = R"("daily")"};
  }
  std::optional<domain::part_month> read(object_reader& fields, std::string_view key,
                                         presence expected) const {
    const auto sent = fields.text(key, expected).value_or("daily");
    if (sent == "daily") return domain::part_month::daily;
    if (sent == "monthly") return domain::part_month::monthly;
    if (sent == "biweekly" || sent == "fortnightly") return domain::part_month::fortnightly;
    std::string names;
    for (const auto each : part_month_names) names.append(names.empty() ? "" : ", ").append(each);
    fields.refuse(std::string{key} + " must be one of the following values: " + names);
    return std::nullopt;
  }
};

/// An amount that is sent as a string.
struct text_amount {
  constexpr json::facts schema_facts() const { return {.type = "string", .required = false}; }
  std::optional<money> read(object_reader& fields, std::string_view key, presence expected) const {
    const auto text = fields.text(key, expected);
    if (!text) return std::nullopt;
    if (!domain::is_number(*text)) {
      fields.refuse(std::string{key} + " must be a number string");
      return std::nullopt;
    }
    const auto amount = domain::parse_money(*text).value_or(domain::amount_limit);
    if (text->front() == '-' && amount != money{0})
      fields.refuse(std::string{key} + " must not be less than 0");
    if (amount >= domain::amount_limit) fields.refuse_range(key, below_amount_limit);
    return amount;
  }
};

/// A room as sent, with the field that only matters together with another.
struct sent_room {
  room_request room;
  std::optional<int> max_stay;
};

/// Whether the room stands for the whole property.
struct accommodation {
  constexpr json::facts schema_facts() const { return {.type = "string", .required = false}; }
  std::optional<bool> read(object_reader& fields, std::string_view key, presence expected) const {
    return fields.text(key, expected) != "rooms";
  }
};

/// The ID of a linked room; a whole property is linked under the property's. Reads `accommodation`, too.
struct room_id {
  constexpr json::facts schema_facts() const {
    return {.type = "string", .also = "number", .required = false};
  }
  std::optional<std::string> read(object_reader& fields, std::string_view key, presence) const {
    const bool whole_property = fields.text_if("accommodation") != "rooms";
    auto id = fields.identifier(key, whole_property ? presence::optional : presence::required, max_id_length);
    if (whole_property) return std::nullopt;
    if (id && is_blank(*id)) fields.refuse(std::string{key} + " must be a string or a number");
    check_part(fields, key, id);
    return id;
  }
};

/// Stores a value of the room, unless it is missing.
template <typename V>
constexpr auto room(V room_request::*member) {
  return [member](sent_room& to, auto sent) {
    if (sent) to.room.*member = std::move(*sent);
  };
}

constexpr kind::count stay_limit{0, domain::max_stay_limit_months};

constexpr auto room_body =
    json::object<sent_room>(
        "RoomCreation",
        field("accommodation", accommodation{}, room(&room_request::whole_property),
              "rooms creates a room; any other value, or none, the property as a whole"),
        field("id", room_id{}, room(&room_request::id),
              "Your ID of the room, without an underscore. A room needs one, as its externalId becomes "
              "<property id>_<room id>; a whole property needs none"),
        field("internalName", name{}, room(&room_request::internal_name),
              "Unique in the account. Without one, it is made from the property's name and the label"),
        field("number", kind::number_text{}, room(&room_request::number), "The label: 3 becomes Room 3",
              json::optional, json::initially{"1"}),
        field("rent", kind::amount{}, room(&room_request::rent),
              "Rent a month in the currency of the landlord's account, without markup, stored with two "
              "decimals. Without it the unit is created and not published",
              json::optional),
        field("fixedRent", kind::flag{}, room(&room_request::rent_fixed),
              "Send true: a rent that varies cannot be created, and without true the room is refused",
              json::optional),
        field("periodStayMin", stay_limit, room(&room_request::min_stay_months),
              "Shortest stay in months; 0 or missing: no minimum", json::optional),
        field("periodStayMax", stay_limit, &sent_room::max_stay,
              "Longest stay in months; used when periodStayMaxBoolean is the text true", json::optional),
        field(
            "periodStayMaxBoolean", kind::text{},
            [](sent_room& to, std::optional<std::string> sent) {
              if (sent == "true") to.room.max_stay_months = to.max_stay.value_or(0);
            },
            "The text true enables periodStayMax; any other text leaves it off", json::optional),
        field("numPeople", kind::count{1, domain::max_capacity}, room(&room_request::capacity),
              "Most occupants", json::optional, json::initially{"1"}),
        field("extraTenantsPrice", kind::amount{}, room(&room_request::extra_price_per_tenant),
              "Price a month of each occupant after the first, in the landlord's currency", json::optional))
        .open();

/// A field that is accepted in any form.
template <std::size_t Size>
constexpr auto unsaved(const char (&name)[Size]) {
  return field(name, kind::anything{}, ignored, "Accepted in any form, not saved", json::optional);
}

constexpr auto property_body =
    json::object<property_request>(
        "PropertyCreation",
        field("id", property_id{}, &property_request::id,
              "Your ID of the property, without an underscore. If you sent it before, the new rooms are "
              "added to the existing property"),
        field("address", kind::line{domain::max_name_length, kind::filled::not_blank},
              &property_request::address, "Street and number in one line"),
        field("floor", kind::line{domain::max_name_length}, &property_request::floor, "Any text",
              json::optional),
        field("internal_name", name{}, &property_request::internal_name,
              "The landlord's name for it; without one, the address"),
        field("incompleteRentType", part_month_name{}, &property_request::part_month,
              "What a partial month of a stay costs: daily its share of nights, monthly the whole month, "
              "biweekly and fortnightly half of it up to 15 nights"),
        field(
            "paidAtMovinDate", kind::text{},
            [](property_request& to, std::optional<std::string> sent) {
              to.only_deposit_at_move_in = sent == "Security Deposit";
            },
            "Security Deposit: only the deposit is due at move-in; any other value, or none: the last rent, "
            "too",
            json::optional),
        field("securityDeposit", text_amount{}, &property_request::security_deposit,
              "The deposit of each unit: a decimal number as text, in the currency of the landlord's account",
              json::examples{R"(["650.00"])"}),
        field("extraAdministrativeFee", kind::amount{}, &property_request::admin_fee,
              "Fee of each unit for a stay, in the landlord's currency; charged when above 0",
              json::optional),
        field("cleaningLadyPrice", kind::amount{}, &property_request::cleaning_fee,
              "Cleaning fee a month, in the landlord's currency; charged when above 0", json::optional),
        field("billsIncluded", kind::flag{}, &property_request::bills_included,
              "Whether utility bills are in the rent", json::optional, json::initially{"false"}),
        field("billsMax", kind::amount{}, &property_request::bills_max,
              "How much of the bills is included a month, in the landlord's currency; missing: no cap",
              json::optional),
        rows_field(
            "rooms", room_body,
            [](property_request& to, sent_room sent, object_reader&) {
              to.rooms.push_back(std::move(sent.room));
            },
            "The units to create, in this order. Creation stops at the first one that fails: the property "
            "and the units before it stay",
            json::optional),
        unsaved("photos"), unsaved("amenities"), unsaved("visitTimes"), unsaved("visit_times"),
        unsaved("houseRules"), unsaved("house_rules"))
        .closed()
        .example(R"({"id":"7300","address":"Calle de la Luna 8, Madrid","floor":"3",
"internal_name":"Calle de la Luna 8","incompleteRentType":"daily","paidAtMovinDate":"Security Deposit",
"securityDeposit":"650.00","extraAdministrativeFee":150,"cleaningLadyPrice":45,"billsIncluded":true,"billsMax":60,
"rooms":[{"id":7,"accommodation":"rooms","internalName":"CL8 Room 1","number":1,"rent":650,"fixedRent":true,
"periodStayMin":1,"periodStayMax":11,"periodStayMaxBoolean":"true","numPeople":2,"extraTenantsPrice":50}]})");

/// Refuses IDs that two units of the request share, and IDs longer than a linked ID may be.
void check_external_ids(const property_request& request, json_body& body) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < request.rooms.size(); ++i) {
    auto id = domain::external_id_of(request, request.rooms[i]);
    if (length_of(id) > max_id_length) body.columns().too_long();
    if (!ids.insert(std::move(id)).second) body.refuse("rooms." + std::to_string(i) + ".id must be unique");
  }
}

} // namespace

listing_update parse_listing_update(std::string& body) {
  auto update = read_body(body, update_body);
  if (!domain::are_stay_limits(update.edit.min_stay_months, update.edit.max_stay_months))
    throw bad_request(reversed_stay_limits);
  return update;
}

property_request parse_property_request(std::string& text) {
  json_body body{text};
  auto request = read_fields(body, property_body);
  body.throw_if_refused();
  check_external_ids(request, body);
  body.throw_if_any();
  return request;
}

void add_engine_request_schemas(json::schemas& to) {
  to.add(update_body);
  to.add(room_body);
  to.add(property_body);
}

} // namespace roost::http
