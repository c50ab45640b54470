#include "domain/listing.hpp"

#include "domain/case_folding.hpp"
#include "domain/costs.hpp"
#include "domain/generated_rows.hpp"
#include "domain/platform_traits.hpp"
#include "domain/pricing.hpp"

#include <algorithm>

namespace roost::domain {

namespace {

void write_month_rents(json_writer& json, const listing_source& from, const platform_card* card) {
  json.key("rentsPerMonth");
  json.begin_array();
  if (!from.terms.rent.fixed) {
    for (const auto& priced : from.terms.rent.per_month) {
      json.begin_object();
      json.field("month", priced.month);
      json.field("rent", with_markup(priced.rent, card));
      json.field("createdAt", priced.created_at);
      json.field("updatedAt", priced.updated_at);
      json.end_object();
    }
  }
  json.end_array();
}

void write_fees(json_writer& json, const listing_source& from) {
  const auto& fee = from.terms.admin_fee;
  const auto& cleaning = from.property.cleaning_fee;
  const bool tiered = fee.enabled && fee.mode == fee_mode::tiered;
  json.field("cleaningFeeValue", cleaning.enabled ? cleaning.value : money{});
  json.field("billsIncluded", from.terms.bills.included);
  json.field("billsIncludedMaxValue", from.terms.bills.included ? from.terms.bills.max_value : std::nullopt);
  json.field("adminFeeValue", fee.enabled ? round_up(fee.value) : money{});
  json.field("adminFeeMode", tiered ? "tiered" : "fixed");
  json.key("adminFeeTiers");
  json.begin_array();
  if (tiered) {
    for (const auto& tier : fee.tiers) {
      json.begin_object();
      json.field("fromDays", tier.from_days);
      json.field("value", tier.value);
      json.end_object();
    }
  }
  json.end_array();
  json.field("depositValue", deposit_for_one(from.terms));
}

void write_unavailability(json_writer& json, const generated_row& row) {
  json.begin_object();
  json.field("from", row.nights.first);
  json.field("to", row.nights.last);
  json.field("reason", plain_text{row.reason});
  json.field("createdAt", row.created_at);
  json.field("updatedAt", row.updated_at);
  json.end_object();
}

/// Stored rows come first, by their first night, then the generated ones.
void write_unavailabilities(json_writer& json, const listing_source& from, const generated_rows& generated,
                            date today, past_blocks past) {
  json.key("unavailabilities");
  json.begin_array();
  for (const auto& held : from.calendar.blocks()) {
    if (past == past_blocks::left_out && held.nights.last < today) continue;
    write_unavailability(json, {{held.nights.first, shown_last_night(held.nights, today)},
                                "Unavailable",
                                held.created_at,
                                held.updated_at});
  }
  for (const auto& row : generated) write_unavailability(json, row);
  json.end_array();
}

void write_booking_windows(json_writer& json, const unit& terms) {
  json.key("bookingWindows");
  json.begin_array();
  for (const auto& window : terms.booking_windows) {
    json.begin_object();
    json.field("minStartDate", window.min_start);
    json.field("maxStartDate", window.max_start);
    json.field("minEndDate", window.min_end);
    json.field("maxEndDate", window.max_end);
    json.end_object();
  }
  json.end_array();
}

/// Marketplace B's lines in whole units of the currency (Partner API, Listing object, rule 9).
void write_costs(json_writer& json, const listing_source& from) {
  json.key("costs");
  json.begin_array();
  const auto& property = from.property;
  for (const auto& line : costs_of(from.terms, {property.cleaning_fee, property.monthly_bills,
                                                property.membership_fee, property.parking})) {
    json.begin_object();
    json.field("type", plain_text{line.type});
    json.field("value", round_up(line.value));
    json.field("payableBy", plain_text{costs_payable_by});
    json.field("payableAt", plain_text{line.payable_at});
    json.field("required", line.required);
    json.field("refundable", line.refundable);
    json.field("isEstimated", line.estimated);
    json.end_object();
  }
  json.end_array();
}

} // namespace

std::optional<date> first_free_date(const account& of, const unit& terms, const calendar& nights,
                                    const stay_limits& stay, date today) {
  const int notice = terms.advance_notice_days.value_or(of.advance_notice_days);
  return nights.available_from(today + days{notice}, stay.min_months.value_or(0));
}

void write_listing(json_writer& json, const listing_source& from, timestamp now, past_blocks past) {
  const date today = day_of(now);
  const auto& traits = traits_of(from.platform);
  const auto* card = find_card(from.account, from.platform.name);
  const auto& terms = from.terms;
  const auto* window = traits.keeps_to_booking_window ? open_window(terms, today) : nullptr;
  const auto stay = window ? limits_in(*window) : stay_limits{terms.min_stay_months, terms.max_stay_months};
  const auto available_from = first_free_date(from.account, terms, from.calendar, stay, today);
  json.begin_object();
  json.field("externalId", from.external_id);
  if (traits.is_single_landlord) json.field("listingInternalName", terms.internal_name);
  json.field("availableFrom", available_from);
  json.field("minStayPeriod", stay.min_months);
  json.field("maxStayPeriod", stay.max_months);
  json.field("isRentFixed", terms.rent.fixed);
  json.field("rent", with_markup(headline_rent(terms), card));
  write_month_rents(json, from, card);
  json.field("capacity", terms.capacity);
  json.field("extraPricePerTenant", extra_price_per_tenant(terms));
  write_fees(json, from);
  json.field("landlordEmail", card ? card->integration_email : std::nullopt);
  const auto generated =
      generated_rows_of({from.calendar, from.platform.kind, card, window, available_from}, now);
  write_unavailabilities(json, from, generated, today, past);
  write_booking_windows(json, terms);
  if (traits.has_costs) write_costs(json, from);
  json.field("createdAt", terms.created_at);
  json.field("updatedAt", terms.updated_at);
  json.end_object();
}

bool is_withheld(const unit& terms, const property_terms& property, bool excluded) {
  return excluded || terms.archived || property.archived;
}

publication publication_of(const unit& terms, const property_terms& property, const platform& platform,
                           bool excluded) {
  if (is_withheld(terms, property, excluded)) return publication::withheld;
  if (!has_usable_rent(terms)) return publication::no_usable_rent;
  if (traits_of(platform).accepts_some_regions &&
      std::ranges::none_of(platform.regions,
                           [&](const auto& region) { return same_place(region, property.city); }))
    return publication::unsupported_region;
  return publication::published;
}

bool same_place(std::string_view a, std::string_view b) {
  return folded_without_accents(a) == folded_without_accents(b);
}

} // namespace roost::domain
