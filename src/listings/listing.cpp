#include "listings/listing.hpp"

#include "json/object.hpp"
#include "listings/costs.hpp"
#include "listings/publication.hpp"

#include <algorithm>
#include <functional>

namespace roost::listings {

using domain::account, domain::add_months, domain::admin_fee_tier, domain::bills_terms, domain::block,
    domain::booking_window, domain::calendar, domain::date, domain::day_of, domain::days,
    domain::deposit_for_one, domain::extra_price_per_tenant, domain::fee_mode, domain::headline_rent,
    domain::limits_in, domain::money, domain::month_rent, domain::nights, domain::no_end, domain::open_window,
    domain::platform_card, domain::platform_traits, domain::property, domain::rent_terms, domain::round_up,
    domain::stay_limits, domain::timestamp, domain::traits_of, domain::unit, domain::with_markup;

using json::included, json::list, json::member, json::via;
using json::minimum, json::maximum, json::one_of, json::only_where;

namespace {

/// A source with values that several members share.
struct listing_view {
  listing_view(const listing_source& source, timestamp written, past_blocks shown)
      : from(source), now(written), past(shown), traits(traits_of(source.platform)),
        card(find_card(source.account, source.platform.name)),
        window(traits.keeps_to_booking_window ? open_window(source.terms, day_of(now)) : nullptr),
        stay(window ? limits_in(*window)
                    : stay_limits{source.terms.min_stay_months, source.terms.max_stay_months}),
        available_from(first_free_date(source.account, source.terms, source.calendar, stay, day_of(now))) {}

  const unit& terms() const { return from.terms; }

  const listing_source& from;
  timestamp now;
  past_blocks past;
  const platform_traits& traits;
  const platform_card* card;
  const booking_window* window; ///< the open window, on platforms that keep to it
  stay_limits stay;
  std::optional<date> available_from;
};

constexpr auto month_rent_object = json::object<month_rent>(
    "", member("month", &month_rent::month, "1 is January, 12 is December", minimum{1}, maximum{12}),
    member("rent", &month_rent::rent,
           "The rent of this month in the landlord's currency, with markup, rounded up to a whole number"),
    member("createdAt", &month_rent::created_at, "When the month was first priced, in UTC"),
    member("updatedAt", &month_rent::updated_at, "When its price last changed, in UTC"));

constexpr auto tier_object = json::object<admin_fee_tier>(
    "",
    member("fromDays", &admin_fee_tier::from_days,
           "The shortest stay of this tier, in days from check-in to check-out"),
    member("value", &admin_fee_tier::value, "The fee in the landlord's currency, not rounded"));

constexpr auto unavailability_object = json::object<generated_row>(
    "",
    member("from", via(&generated_row::nights, &nights::first),
           "First blocked night, YYYY-MM-DD. A stay may end on this day"),
    member("to", via(&generated_row::nights, &nights::last),
           "Last blocked night, YYYY-MM-DD, inclusive, with preparation days. A stay may start on the day "
           "after"),
    member(
        "reason", [](const generated_row& row) { return json::plain_text{row.reason}; },
        "Unavailable for a stored block. Rows generated for the feed have Calendar Block, Not available yet "
        "or Booking window restriction"),
    member("createdAt", &generated_row::created_at,
           "When the block was made, in UTC. A generated row has the time of its block, or that of the feed"),
    member("updatedAt", &generated_row::updated_at, "When the block last changed, in UTC"));

constexpr auto booking_window_object = json::object<booking_window>(
    "", member("minStartDate", &booking_window::min_start, "First day of check-in, YYYY-MM-DD"),
    member("maxStartDate", &booking_window::max_start, "Last day of check-in, YYYY-MM-DD"),
    member("minEndDate", &booking_window::min_end, "First day of check-out, YYYY-MM-DD"),
    member("maxEndDate", &booking_window::max_end, "Last day of check-out, YYYY-MM-DD"));

/// Amounts are in whole units of the currency (Partner API, Listing object, rule 9).
constexpr auto cost_object =
    json::object<cost_line>("",
                            member(
                                "type", [](const cost_line& line) { return json::plain_text{line.type}; },
                                "security-deposit, administration-fee, cleaning-fee, membership-fee, parking "
                                "or other-additional-costs (bills that are not in the rent)"),
                            member(
                                "value", [](const cost_line& line) { return round_up(line.value); },
                                "In whole units of the landlord's currency, rounded up, without markup"),
                            included(std::identity{}, cost_conditions));

/// Yields the months' rents with markup.
constexpr auto rents_of = [](const listing_view& view, auto yield) {
  if (view.terms().rent.fixed) return;
  for (auto priced : view.terms().rent.per_month) {
    priced.rent = with_markup(priced.rent, view.card);
    yield(priced);
  }
};

/// Yields stored rows, ordered by first night, and then the generated ones.
constexpr auto unavailabilities_of = [](const listing_view& view, auto yield) {
  const date today = day_of(view.now);
  for (const auto& held : view.from.calendar.blocks()) {
    if (view.past == past_blocks::left_out && held.nights.last < today) continue;
    yield({{held.nights.first, shown_last_night(held.nights, today)},
           "Unavailable",
           held.created_at,
           held.updated_at});
  }
  const auto generated = generated_rows_of(
      {view.from.calendar, view.from.platform.kind, view.card, view.window, view.available_from}, view.now);
  for (const auto& row : generated) yield(row);
};

constexpr auto costs_of_view = [](const listing_view& view) {
  return costs_of(view.terms(), view.from.property);
};

constexpr auto terms = &listing_view::terms;

constexpr auto listing_object =
    json::object<listing_view>(
        "Listing",
        member(
            "externalId", [](const listing_view& view) { return view.from.external_id; },
            "Your ID of the unit; on a single-landlord feed the unit's UUID if it is not linked"),
        member("listingInternalName", via(terms, &unit::internal_name),
               "The landlord's name for the unit. Single-landlord feeds only",
               only_where{[](const listing_view& view) { return view.traits.is_single_landlord; }}),
        member("availableFrom", &listing_view::available_from,
               "First date, YYYY-MM-DD, on which a stay of minStayPeriod can start, after the landlord's "
               "notice; null: there is none"),
        member("minStayPeriod", via(&listing_view::stay, &stay_limits::min_months),
               "Shortest stay in months; 0 or null: no minimum"),
        member("maxStayPeriod", via(&listing_view::stay, &stay_limits::max_months),
               "Longest stay in months; 0 or null: no maximum"),
        member("isRentFixed", via(terms, &unit::rent, &rent_terms::fixed),
               "true: every month costs rent; false: each month has its own rent in rentsPerMonth"),
        member(
            "rent",
            [](const listing_view& view) { return with_markup(headline_rent(view.terms()), view.card); },
            "Rent a month in the currency of the landlord's account, with markup, rounded up to a whole "
            "number. If it varies, that of the highest month"),
        list("rentsPerMonth", rents_of, month_rent_object,
             "Empty when the rent is fixed. A missing month has no price"),
        member("capacity", via(terms, &unit::capacity), "Most occupants"),
        member("extraPricePerTenant", via(terms, extra_price_per_tenant),
               "Price a month of each occupant after the first, in the landlord's currency, without markup; "
               "0 when the capacity is 1"),
        member(
            "cleaningFeeValue",
            [](const listing_view& view) { return view.from.property.cleaning_fee.charged(); },
            "The property's cleaning fee in the landlord's currency, without markup, whatever its interval; "
            "0 when there is none"),
        member("billsIncluded", via(terms, &unit::bills, &bills_terms::included),
               "Whether utility bills are in the rent"),
        member("billsIncludedMaxValue", via(terms, included_bills),
               "How much of the bills is included a month, in the landlord's currency; 0 is a real zero; "
               "null: no cap is published, or bills are not included"),
        member(
            "adminFeeValue",
            [](const listing_view& view) {
              return view.terms().admin_fee.enabled ? round_up(view.terms().admin_fee.value) : money{};
            },
            "One fee for the stay in the landlord's currency, rounded up to a whole number; 0 when it is "
            "off. Used in the mode fixed only"),
        member("adminFeeMode", via(terms, shown_fee_mode),
               "fixed: adminFeeValue, also when there is no fee; tiered: adminFeeTiers"),
        list("adminFeeTiers", via(terms, shown_tiers), tier_object,
             "Ascending by fromDays. The last tier that a stay reaches is its fee. Empty unless tiered"),
        member("depositValue", via(terms, deposit_for_one),
               "Deposit for one occupant in the landlord's currency, without markup"),
        member(
            "landlordEmail",
            [](const listing_view& view) { return view.card ? view.card->integration_email : std::nullopt; },
            "The Integration Email of the landlord's card for your platform; null when unset"),
        list("unavailabilities", unavailabilities_of, unavailability_object,
             "Nights that cannot be booked. Honor every row, whatever its reason"),
        list("bookingWindows", via(terms, &unit::booking_windows), booking_window_object,
             "When stays may start and end. They are published for you to keep to: a booking outside of them "
             "is not refused"),
        list("costs", costs_of_view, cost_object,
             "What the tenant pays in addition to the rent, if it is above 0. Marketplace B only",
             only_where{[](const listing_view& view) { return view.traits.has_costs; }}),
        member("createdAt", via(terms, &unit::created_at), "When the unit's record was made, in UTC"),
        member("updatedAt", via(terms, &unit::updated_at),
               "When the unit's record was last edited, in UTC. Bookings and blocks do not change it"))
        .example(R"({"externalId":"771","availableFrom":"2026-12-01","minStayPeriod":1,"maxStayPeriod":11,
"isRentFixed":true,"rent":683,"rentsPerMonth":[],"capacity":1,"extraPricePerTenant":0,"cleaningFeeValue":45,
"billsIncluded":false,"billsIncludedMaxValue":null,"adminFeeValue":150,"adminFeeMode":"fixed","adminFeeTiers":[],
"depositValue":650,"landlordEmail":"feeds@casaverde.example","unavailabilities":[{"from":"2026-11-01",
"to":"2026-11-30","reason":"Unavailable","createdAt":"2026-09-01T10:00:00.000Z",
"updatedAt":"2026-09-01T10:00:00.000Z"}],"bookingWindows":[],"createdAt":"2026-01-10T08:00:00.000Z",
"updatedAt":"2026-10-01T12:30:45.678Z"})");

} // namespace

std::optional<date> first_free_date(const account& account, const unit& terms, const calendar& nights,
                                    const stay_limits& stay, date today) {
  const int notice = terms.advance_notice_days.value_or(account.advance_notice_days);
  return nights.available_from(today + days{notice}, stay.min_months.value_or(0));
}

date two_years_after(date day) {
  constexpr int months = 24;
  return std::min(add_months(day, months), no_end); // years have four digits
}

date shown_last_night(const nights& blocked, date today) {
  return blocked.last != no_end ? blocked.last : two_years_after(std::max(blocked.first, today));
}

std::optional<generated_row> calendar_block_row(const calendar& calendar, const platform_card* card,
                                                date today) {
  if (!card || !card->calendar_block_days || calendar.blocks().empty()) return std::nullopt;
  const auto last_night = [](const block& held) { return held.nights.last; };
  const auto& latest = *std::ranges::max_element(calendar.blocks(), {}, last_night);
  if (latest.nights.last <= today + days{*card->calendar_block_days}) return std::nullopt;
  const date last = shown_last_night(latest.nights, today);
  return generated_row{{last, two_years_after(last)}, "Calendar Block", latest.created_at, latest.updated_at};
}

generated_rows generated_rows_of(const generated_row_source& from, timestamp now) {
  const date today = day_of(now);
  const timestamp midnight{today};
  const auto& traits = traits_of(from.kind);
  generated_rows rows;
  const auto add = [&](date first, date last, std::string_view reason) {
    rows.push_back({{first, last}, reason, midnight, midnight});
  };
  if (const auto row = calendar_block_row(from.calendar, from.card, today)) rows.push_back(*row);
  if (traits.blocks_until_available && from.available_from && *from.available_from > today)
    add(today, *from.available_from - days{1}, "Not available yet");
  if (traits.keeps_to_booking_window && from.window) {
    constexpr std::string_view reason = "Booking window restriction";
    if (today < from.window->min_start) add(today, from.window->min_start - days{1}, reason);
    const date after = from.window->max_end; // the night of the last check-out is not in the window
    add(after, two_years_after(after), reason);
  }
  return rows;
}

void write_listing(json::writer& json, const listing_source& from, timestamp now, past_blocks past) {
  json::write(json, listing_object, listing_view{from, now, past});
}

void add_listing_schema(json::schemas& to) { to.add(listing_object); }

} // namespace roost::listings
