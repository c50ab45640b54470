#include "http/partner/listing_update.hpp"

#include "domain/unit_limits.hpp"
#include "http/json/object_reader.hpp"

#include <cmath>

namespace roost::http {

namespace {

using enum presence;
constexpr std::size_t months_a_year = 12;

std::string read_listing_id(object_reader& fields) {
  auto id = fields.text("externalId", required, domain::longest_external_id);
  if (id && id->empty()) fields.refuse("externalId must be a string");
  return std::move(id).value_or("");
}

/// A month that is sent twice is refused: nobody knows which of the two rents is meant.
std::map<unsigned, domain::money> read_rents(object_reader& fields) {
  std::map<unsigned, domain::money> rents;
  const auto read_one = [&](object_reader& item) {
    const auto month = item.number("month", required, {.least = 1, .greatest = 12, .whole = true});
    const auto rent = item.amount("rent", required);
    if (!month || !rent) return;
    if (!rents.emplace(static_cast<unsigned>(*month), *rent).second) item.refuse("month must be unique");
  };
  if (fields.objects("rentsPerMonth", required, {"month", "rent"}, unknown_keys::refused, read_one) >
      months_a_year)
    fields.refuse("rentsPerMonth must contain no more than 12 elements");
  return rents;
}

/// Months of a stay limit, whose texts partners know.
int read_months(object_reader& fields, std::string_view key, std::string_view name) {
  const auto months = fields.number(key, required);
  if (!months) return 0;
  if (*months < 0 || *months != std::floor(*months))
    fields.refuse(std::string{name} + " stay period must be a non-negative integer");
  else if (*months > domain::longest_stay_months)
    fields.columns().out_of_range();
  else
    return static_cast<int>(*months);
  return 0;
}

/// What the engine sends of a listing and what is not saved: only the landlord changes it.
void check_unsaved(object_reader& fields) {
  fields.day("availableFrom", required);
  for (const auto* key :
       {"capacity", "cleaningFeeValue", "billsIncludedMaxValue", "adminFeeValue", "depositValue"})
    fields.number(key, required);
  fields.text("landlordEmail", required);
  fields.objects("unavailabilities", required, {"from", "to", "reason"}, unknown_keys::refused,
                 [](object_reader& item) {
                   item.day("from", required);
                   item.day("to", required);
                   item.text("reason", required);
                 });
}

} // namespace

listing_update parse_listing_update(std::string& text) {
  json_body body{text};
  object_reader fields{body,
                       {"externalId", "isRentFixed", "rent", "rentsPerMonth", "minStayPeriod",
                        "maxStayPeriod", "extraPricePerTenant", "availableFrom", "capacity",
                        "cleaningFeeValue", "billsIncludedMaxValue", "adminFeeValue", "depositValue",
                        "landlordEmail", "unavailabilities"}};
  listing_update update;
  update.external_id = read_listing_id(fields);
  auto& edit = update.edit;
  edit.rent_fixed = fields.flag("isRentFixed", required).value_or(true);
  edit.rent = fields.amount("rent", required).value_or(domain::money{});
  edit.per_month = read_rents(fields);
  edit.min_stay_months = read_months(fields, "minStayPeriod", "Min");
  edit.max_stay_months = read_months(fields, "maxStayPeriod", "Max");
  edit.extra_price_per_tenant = fields.amount("extraPricePerTenant", required).value_or(domain::money{});
  check_unsaved(fields);
  body.throw_if_any();
  if (!domain::are_stay_limits(edit.min_stay_months, edit.max_stay_months))
    throw bad_request(reversed_stay_limits);
  return update;
}

} // namespace roost::http
