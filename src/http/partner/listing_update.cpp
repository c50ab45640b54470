#include "domain/unit.hpp"
#include "http/json/body.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/protocol/error.hpp"

#include <cmath>

namespace roost::http {

namespace {

constexpr int months_a_year = 12;

/// A stay limit in months, with the messages that clients know.
struct stay_months {
  std::string_view name;

  constexpr json::facts schema_facts() const {
    return {.type = "integer", .minimum = 0, .maximum = domain::longest_stay_months};
  }
  std::optional<int> read(object_reader& fields, std::string_view key, presence expected) const {
    const auto months = fields.number(key, expected);
    if (!months) return std::nullopt;
    if (*months < 0 || *months != std::floor(*months))
      fields.refuse(std::string{name} + " stay period must be a non-negative integer");
    else if (*months > domain::longest_stay_months)
      fields.columns().out_of_range();
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
        field("externalId", kind::line{domain::longest_external_id, kind::filled::not_empty},
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

} // namespace

listing_update parse_listing_update(std::string& body) {
  auto update = read_body(body, update_body);
  if (!domain::are_stay_limits(update.edit.min_stay_months, update.edit.max_stay_months))
    throw bad_request(reversed_stay_limits);
  return update;
}

void add_listing_update_schema(json::schemas& to) { to.add(update_body); }

} // namespace roost::http
