#pragma once

#include "domain/mapping.hpp"
#include "domain/portfolio.hpp"
#include "portfolio/calendar.hpp"
#include "portfolio/description.hpp"

#include <algorithm>
#include <array>

/// The description of a unit: its prices, calendar, presentation and links (docs/portfolio.md; Partner API,
/// Listing object, and Unit mapping record).
namespace roost::portfolio::objects {

using domain::admin_fee, domain::admin_fee_tier, domain::bills_terms, domain::block, domain::booking_window,
    domain::deposit_terms, domain::image, domain::link, domain::month_rent, domain::nights,
    domain::portfolio_unit, domain::rent_terms, domain::unit, domain::unit_presentation;

inline constexpr int max_notice_days = 3'650; ///< days

inline constexpr auto image_object = record<image>(
    field("url", kind::url, &image::url, ""), field("placeholder", kind::flag, &image::placeholder,
                                                    "A stock picture, which is never published", optional));

// Prices

inline constexpr auto month_rent_object =
    record<month_rent>({.begin = [](reading<month_rent>& at) { at.to.month = 0; }},
                       field("month", kind::whole{1, 12}, &month_rent::month, "",
                             unique_in_list<&month_rent::month>{"is priced already"}),
                       field("rent", kind::amount, &month_rent::rent, "")); // an invalid month stays 0

inline bool finish_rent(reading<rent_terms>& at) {
  auto& in = at.in;
  std::ranges::sort(at.to.per_month, {}, &month_rent::month);
  const bool fixed = at.to.fixed, has_amount = at.has("amount");
  if (fixed && !at.to.per_month.empty())
    return in.refuse_member("perMonth", "must be left out when the rent is fixed");
  if (fixed && !has_amount) return in.refuse_member("amount", "is required when the rent is fixed");
  if (!fixed && has_amount) return in.refuse_member("amount", "must be left out when the rent varies");
  if (!fixed && !at.has("perMonth")) return in.refuse_member("perMonth", "is required when the rent varies");
  return true;
}

inline constexpr auto rent_object = record<rent_terms>(
    {.finish = finish_rent},
    field("fixed", kind::flag, &rent_terms::fixed, "Whether each month has the same rent", optional),
    field("amount", kind::amount, &rent_terms::amount, "The fixed rent of a month",
          only_where{[](const rent_terms& rent) { return rent.fixed; }}),
    field("perMonth", kind::list{month_rent_object}, &rent_terms::per_month,
          "The rents of months, each at most once; a missing month is unpriced",
          only_where{[](const rent_terms& rent) { return !rent.fixed; }}));

inline constexpr auto tier_object = record<admin_fee_tier>(
    {.begin = [](reading<admin_fee_tier>& at) { at.to.from_days = 0; }},
    field("fromDays", kind::whole{1, 36'500}, &admin_fee_tier::from_days,
          "The shortest stay of the tier, ascending", checked_by{[](reading<admin_fee_tier>& at, int days) {
            const bool ascends = at.earlier.empty() || at.earlier.back().from_days < days;
            return ascends || at.in.refuse("must be greater than the one before");
          }}),
    field("value", kind::amount, &admin_fee_tier::value, "")); // invalid days stay 0, below all others

inline bool finish_admin_fee(reading<admin_fee>& at) {
  auto& in = at.in;
  const bool tiered = at.to.mode == domain::fee_mode::tiered, has_value = at.has("value");
  if (tiered && has_value) return in.refuse_member("value", "must be left out when the fee is tiered");
  if (tiered && at.to.tiers.empty())
    return in.refuse_member("tiers", "must not be empty when the fee is tiered");
  if (!tiered && !at.to.tiers.empty())
    return in.refuse_member("tiers", "must be left out when the fee is fixed");
  if (!tiered && at.to.enabled && !has_value)
    return in.refuse_member("value", "is required when the fee is fixed");
  return true;
}

inline constexpr auto admin_fee_object = record<admin_fee>(
    {.begin = [](reading<admin_fee>& at) { at.to.enabled = true; }, .finish = finish_admin_fee},
    field("enabled", kind::flag, &admin_fee::enabled, "True once the fee is named", optional,
          omitted_if{[](const admin_fee& fee) { return fee.enabled; }}),
    field("mode", kind::choice{domain::fee_mode_names}, &admin_fee::mode, "", optional),
    field("value", kind::amount, &admin_fee::value, "A fixed fee",
          only_where{[](const admin_fee& fee) { return fee.mode == domain::fee_mode::fixed; }}),
    field("tiers", kind::list{tier_object}, &admin_fee::tiers, "The fee by the length of the stay",
          only_where{[](const admin_fee& fee) { return fee.mode == domain::fee_mode::tiered; }}));

inline constexpr std::array<std::string_view, 2> deposit_words{"fixed", "rentMultiple"};

inline constexpr auto deposit_object = record<deposit_terms>(
    {.begin =
         [](reading<deposit_terms>& at) {
           if (at.in.peek_text("mode") == "rentMultiple") at.to.mode = domain::deposit_mode::rent_multiple;
         }},
    field("mode", kind::choice{deposit_words}, &deposit_terms::mode, "The unit of the value"),
    field("value", kind::hundredths<deposit_terms>{[](const deposit_terms& deposit) -> std::int64_t {
            const std::int64_t multiple_limit = 100;
            return deposit.mode == domain::deposit_mode::rent_multiple ? multiple_limit : whole_amount_limit;
          }},
          &deposit_terms::value, "An amount, or a multiple of the highest month's rent"));

inline constexpr auto bills_object = record<bills_terms>(
    field("included", kind::flag, &bills_terms::included, "", optional),
    field("maxValue", kind::amount, &bills_terms::max_value, "The monthly cap; null: no cap", optional));

// Calendar

/// Refuses a day that is not before another one; `or_same` allows the same day.
inline bool check_days(reader& in, domain::date earlier, domain::date later, std::string_view earlier_name,
                       std::string_view later_name, bool or_same) {
  if (earlier < later || (or_same && earlier == later)) return true;
  return in.refuse_member(earlier_name,
                          (or_same ? "must not be after " : "must be before ") + std::string{later_name});
}

/// The ranges may overlap, but the last check-in needs a check-out after it and the first check-out a
/// check-in before it.
inline bool finish_window(reading<booking_window>& at) {
  auto& [in, window, earlier, names, given] = at;
  const bool starts =
      check_days(in, window.min_start, window.max_start, "minStartDate", "maxStartDate", true);
  const bool ends = check_days(in, window.min_end, window.max_end, "minEndDate", "maxEndDate", true);
  if (!starts || !ends) return false;
  const bool first = check_days(in, window.min_start, window.min_end, "minStartDate", "minEndDate", false);
  const bool last = check_days(in, window.max_start, window.max_end, "maxStartDate", "maxEndDate", false);
  return first && last;
}

inline constexpr auto window_object =
    record<booking_window>({.finish = finish_window},
                           field("minStartDate", kind::day, &booking_window::min_start, "The first check-in"),
                           field("maxStartDate", kind::day, &booking_window::max_start, "The last check-in"),
                           field("minEndDate", kind::day, &booking_window::min_end, "The first check-out"),
                           field("maxEndDate", kind::day, &booking_window::max_end, "The last check-out"));

/// A booking's block is the service's own: no file has one.
inline constexpr std::array<std::string_view, 2> block_source_words{"manual", "channel"};

/// Text that is usually missing.
struct boxed {
  kind::text text;

  constexpr json::facts schema_facts() const { return text.schema_facts(); }
  bool read(reader& in, domain::boxed_text& to) const {
    std::string content;
    if (!text.read(in, content)) return false;
    to = content;
    return true;
  }
};
inline constexpr boxed block_note{{.max_length = 2'000, .may_be_blank = true, .may_have_lines = true}};

inline bool finish_block(reading<block>& at) {
  const auto& [first, last] = at.to.nights;
  const bool owned = at.to.host == "" || at.to.source == domain::block_source::channel ||
                     at.in.refuse_member("host", "belongs to channel blocks only");
  return check_days(at.in, first, last, "from", "to", true) && owned;
}

template <auto Member>
inline constexpr auto night = via(&block::nights, Member);

inline constexpr auto block_object = record<block>(
    {.finish = finish_block}, field("from", kind::day, night<&nights::first>, "The first blocked night"),
    field("to", none_is_null{kind::day, domain::no_end}, night<&nights::last>,
          "The last blocked night; null: without end"),
    field("source", kind::choice{block_source_words}, &block::source, "", optional),
    field("host", short_term_host, &block::host,
          "The short-term host of a channel block, which does not get the block back", optional),
    field("note", block_note, &block::note, "For the landlord's office only; never published", optional),
    field("id", none_is_null{kind::id, domain::uuid{}}, &block::id,
          "null: kept by its nights, source and host from import to import", optional,
          checked_by{[](reading<block>& at, const domain::uuid& id) {
            return id.is_nil() || at.in.file().unique.blocks.claim(at.in, id);
          }}));

// Links

/// An ID on a platform; null is the same as a missing one.
struct external_id {
  constexpr json::facts schema_facts() const {
    return {
        .type = "string", .nullable = true, .min_length = 1, .max_length = domain::max_external_id_length};
  }
  bool read(reader& in, std::string& to) const {
    if (in.is_null()) return true;
    if (!in.is(json_type::text) || !domain::is_external_id(in.node().text))
      return in.refuse("must be text of 1 to 256 characters without control characters");
    to = in.node().text;
    return true;
  }
};

inline bool finish_link(reading<link>& at) {
  auto& in = at.in;
  auto& link = at.to;
  if (link.url.has_value() != link.external_id.empty())
    return in.refuse("must have either url or externalId");
  const auto& platform = in.file().platform(link.platform);
  if (link.url) {
    auto id = domain::external_id_from_url(platform, *link.url);
    if (const auto* problem = std::get_if<domain::mapping_problem>(&id))
      return in.refuse_member("url", problem->text);
    link.external_id = std::get<std::string>(std::move(id));
  }
  if (const auto problem = domain::link_problem(platform, link.external_id); !problem.empty())
    return in.refuse_member(link.url ? "url" : "externalId", std::string(problem));
  // A platform's name holds no line break, so the key is not ambiguous.
  return in.file().unique.external_ids.claim(in, link.platform + '\n' + link.external_id);
}

inline constexpr auto link_object =
    record<link>({.finish = finish_link},
                 field("platform", kind::configured_platform, &link::platform,
                       "A configured platform, with one link of the unit",
                       unique_in_list<&link::platform>{"is linked to this unit already"}),
                 // The mapping checks the URL, because it has a better message for a bare ID.
                 field("url", kind::text{.max_length = 2'048, .may_be_blank = true}, &link::url,
                       "The unit's URL on the platform, which holds the ID",
                       only_where{[](const link& link) { return link.url.has_value(); }}),
                 field("externalId", external_id{}, &link::external_id, "In place of a URL: the ID itself",
                       only_where{[](const link& link) { return !link.url; }}));

// The unit

inline constexpr checked_by has_few_calendars{[](reading<portfolio_unit>& at,
                                                 const std::vector<imported_calendar>& calendars) {
  constexpr auto max = domain::max_imported_calendars;
  return calendars.size() <= max || at.in.refuse_element(max, "is one more than the " + std::to_string(max) +
                                                                  " imported calendars that a unit may have");
}};

/// Checks limits that may each be missing.
inline bool check_order(reader& in, const std::optional<int>& min, const std::optional<int>& max,
                        std::string_view min_name, std::string_view max_name) {
  if (!min || !max || *min <= *max) return true;
  return in.refuse_member(min_name, "must not be greater than " + std::string{max_name});
}

inline bool check_unit(reading<portfolio_unit>& at) {
  const auto& terms = at.to.terms;
  const auto& shown = at.to.presentation;
  const auto max_stay = terms.max_stay_months == 0 ? std::nullopt : terms.max_stay_months; // 0: no limit
  const bool stays = check_order(at.in, terms.min_stay_months, max_stay, "minStayMonths", "maxStayMonths");
  const bool ages = check_order(at.in, shown.min_age, shown.max_age, "minAge", "maxAge");
  return stays && ages;
}

inline void begin_unit(reading<portfolio_unit>& at) {
  at.to.terms.property_id = at.in.file().property;
  at.to.terms.account_id = at.in.file().account;
}

inline bool finish_unit(reading<portfolio_unit>& at) {
  return at.in.file().unique.export_addresses.claim(at.in, domain::export_address_of(at.to.terms),
                                                    "has the export address of ");
}

template <auto Member>
inline constexpr auto term = via(&portfolio_unit::terms, Member);
template <auto Member>
inline constexpr auto shown = via(&portfolio_unit::presentation, Member);

inline constexpr kind::whole stay_months{0, domain::max_stay_limit_months}, age{0, 150};

inline constexpr auto unit_object = record<portfolio_unit>(
    {.begin = begin_unit, .check = check_unit, .finish = finish_unit, .has_lines = true},
    field("id", kind::id, term<&unit::id>, "", unique_in<&uniqueness::units>),
    field("internalName", kind::name, term<&unit::internal_name>, "Unique in the account",
          unique_in<&uniqueness::unit_names>),
    field("kind", kind::choice{domain::unit_kind_names}, term<&unit::kind>,
          "The rented part; `property`: the entire property", optional),
    field("roomLabel", kind::detail, term<&unit::room_label>, "", optional),
    field("capacity", kind::whole{1, domain::max_capacity}, term<&unit::capacity>, "The most occupants",
          optional),
    field("rent", kind::object{rent_object}, term<&unit::rent>,
          "Without a usable rent the unit is in no feed", optional),
    field("minStayMonths", stay_months, term<&unit::min_stay_months>, "0 or null: no limit", optional),
    field("maxStayMonths", stay_months, term<&unit::max_stay_months>, "0 or null: no limit", optional),
    field("extraPricePerTenant", kind::amount, term<&unit::extra_price_per_tenant>,
          "A month, for each occupant after the first", optional),
    field("extraDepositPerTenant", kind::amount, term<&unit::extra_deposit_per_tenant>,
          "For each occupant after the first", optional),
    field("bills", kind::object{bills_object}, term<&unit::bills>, "", optional),
    field("adminFee", kind::object{admin_fee_object}, term<&unit::admin_fee>, "", optional),
    field("deposit", kind::object{deposit_object}, term<&unit::deposit>, "", optional),
    field("exitFee", kind::amount, term<&unit::exit_fee>, "", optional),
    field("localRentCap", kind::amount, term<&unit::local_rent_cap>, "", optional),
    field("preparationDays", kind::whole{0, 366}, term<&unit::preparation_days>,
          "Blocked nights after each booking", optional),
    field("advanceNoticeDays", kind::whole{0, max_notice_days}, term<&unit::advance_notice_days>,
          "null: the account's", optional),
    field("bookingWindows", kind::list{window_object}, term<&unit::booking_windows>,
          "When a stay may start and end, in the order in which they are published", optional,
          listed_separately),
    field("blocks", kind::list{block_object}, &portfolio_unit::blocks, "Nights that cannot be sold", optional,
          listed_separately),
    field("calendars", kind::list{calendar_object}, &portfolio_unit::calendars,
          "Calendars of other platforms whose events block nights", optional, listed_separately,
          has_few_calendars),
    field("shortTermIcalMaxDate", kind::day, term<&unit::short_term_ical_max_date>,
          "The calendar export shows later nights as blocked", optional),
    field("exportAddress", kind::id, term<&unit::export_address>,
          "In the URL of the calendar export; null: the unit's id", optional, secret{"exportAddress"}),
    field("sizeSquareMetres", kind::size, shown<&unit_presentation::size_square_metres>, "", optional),
    field("floor", kind::detail, shown<&unit_presentation::floor>, "", optional),
    field("registrationNumber", kind::detail, shown<&unit_presentation::registration_number>, "", optional),
    field("energyClass", kind::detail, shown<&unit_presentation::energy_class>,
          "The class on the energy performance certificate, such as B", optional),
    field("minAge", age, shown<&unit_presentation::min_age>, "", optional),
    field("maxAge", age, shown<&unit_presentation::max_age>, "", optional),
    field("features", kind::labels, shown<&unit_presentation::features>, "", optional),
    field("title", kind::localized{kind::detail}, shown<&unit_presentation::title>, "By language", optional),
    field("description", kind::localized{kind::long_text}, shown<&unit_presentation::description>,
          "By language", optional),
    field("images", kind::list{image_object}, shown<&unit_presentation::images>, "", optional),
    field("links", kind::list{link_object}, &portfolio_unit::links, "The unit's places on platforms",
          optional, listed_separately),
    field("excludedFrom", kind::platforms, &portfolio_unit::excluded_from,
          "Platforms that exclude the unit from feed and booking", optional, listed_separately),
    field("archived", kind::flag, term<&unit::archived>, "", optional));

} // namespace roost::portfolio::objects
