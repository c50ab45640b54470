#pragma once

#include "domain/mapping.hpp"
#include "domain/portfolio.hpp"
#include "portfolio/description.hpp"

#include <algorithm>
#include <array>

/// The description of a unit: its prices, calendar, presentation and links (docs/portfolio.md; Partner API,
/// Listing object and Unit mapping record).
namespace roost::portfolio {

inline constexpr int longest_notice = 3'650; ///< days

inline constexpr auto image_object =
    record<domain::image>(field("url", kind::url, &domain::image::url, ""),
                          field("placeholder", kind::flag, &domain::image::placeholder,
                                "A stock picture, which is never published", optional));

// Prices

inline constexpr auto month_rent_object =
    record<domain::month_rent>(field("month", kind::whole{1, 12}, &domain::month_rent::month, "",
                                     checked_by{[](reading<domain::month_rent>& at, unsigned month) {
                                       const bool is_new =
                                           std::ranges::find(at.earlier, month, &domain::month_rent::month) ==
                                           at.earlier.end();
                                       return is_new || at.in.refuse("is priced already");
                                     }}),
                               field("rent", kind::amount, &domain::month_rent::rent, ""))
        .begun_by([](reading<domain::month_rent>& at) { at.to.month = 0; }); // no month while it is bad

inline bool finish_rent(reading<domain::rent_terms>& at, bool good) {
  if (!good) return false;
  auto& in = at.in;
  std::ranges::sort(at.to.per_month, {}, &domain::month_rent::month);
  const bool fixed = at.to.fixed, has_amount = at.has("amount");
  if (fixed && !at.to.per_month.empty())
    return in.refuse_member("perMonth", "must be left out when the rent is fixed");
  if (fixed && !has_amount) return in.refuse_member("amount", "is required when the rent is fixed");
  if (!fixed && has_amount) return in.refuse_member("amount", "must be left out when the rent varies");
  if (!fixed && !at.has("perMonth")) return in.refuse_member("perMonth", "is required when the rent varies");
  return true;
}

inline constexpr auto rent_object =
    record<domain::rent_terms>(
        field("fixed", kind::flag, &domain::rent_terms::fixed, "Whether each month has the same rent",
              optional),
        field("amount", kind::amount, &domain::rent_terms::amount, "The fixed rent of a month",
              only_where{[](const domain::rent_terms& of) { return of.fixed; }}),
        list_field("perMonth", month_rent_object, &domain::rent_terms::per_month,
                   "The rents of months, each at most once; a missing month is unpriced",
                   only_where{[](const domain::rent_terms& of) { return !of.fixed; }}))
        .finished_by(finish_rent);

inline constexpr auto tier_object =
    record<domain::admin_fee_tier>(
        field("fromDays", kind::whole{1, 36'500}, &domain::admin_fee_tier::from_days,
              "The shortest stay of the tier, ascending",
              checked_by{[](reading<domain::admin_fee_tier>& at, int days) {
                const bool ascends = at.earlier.empty() || at.earlier.back().from_days < days;
                return ascends || at.in.refuse("must be greater than the one before");
              }}),
        field("value", kind::amount, &domain::admin_fee_tier::value, ""))
        .begun_by([](reading<domain::admin_fee_tier>& at) { at.to.from_days = 0; }); // below all while bad

inline bool finish_admin_fee(reading<domain::admin_fee>& at, bool good) {
  if (!good) return false;
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

inline constexpr auto admin_fee_object =
    record<domain::admin_fee>(
        field("enabled", kind::flag, &domain::admin_fee::enabled, "True once the fee is named", optional,
              left_out_where{[](const domain::admin_fee& of) { return of.enabled; }}),
        field("mode", kind::choice{domain::fee_mode_names}, &domain::admin_fee::mode, "", optional),
        field("value", kind::amount, &domain::admin_fee::value, "A fixed fee",
              only_where{[](const domain::admin_fee& of) { return of.mode == domain::fee_mode::fixed; }}),
        list_field(
            "tiers", tier_object, &domain::admin_fee::tiers, "The fee by the length of the stay",
            only_where{[](const domain::admin_fee& of) { return of.mode == domain::fee_mode::tiered; }}))
        .begun_by([](reading<domain::admin_fee>& at) { at.to.enabled = true; })
        .finished_by(finish_admin_fee);

inline constexpr std::array<std::string_view, 2> deposit_words{"fixed", "rentMultiple"};

inline constexpr auto deposit_object =
    record<domain::deposit_terms>(
        field("mode", kind::choice{deposit_words}, &domain::deposit_terms::mode, "How the value is meant"),
        field("value", hundredths<domain::deposit_terms>{[](const domain::deposit_terms& of) -> std::int64_t {
                const std::int64_t multiple_limit = 100;
                return of.mode == domain::deposit_mode::rent_multiple ? multiple_limit : whole_amount_limit;
              }},
              &domain::deposit_terms::value, "An amount, or a multiple of the highest month's rent"))
        .begun_by([](reading<domain::deposit_terms>& at) {
          if (at.in.peek_text("mode") == "rentMultiple") at.to.mode = domain::deposit_mode::rent_multiple;
        });

inline constexpr auto bills_object =
    record<domain::bills_terms>(field("included", kind::flag, &domain::bills_terms::included, "", optional),
                                field("maxValue", kind::amount, &domain::bills_terms::max_value,
                                      "The monthly cap; null: no cap", optional));

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
inline bool finish_window(reading<domain::booking_window>& at, bool good) {
  if (!good) return false;
  auto& [in, of, earlier, names, given] = at;
  const bool starts = check_days(in, of.min_start, of.max_start, "minStartDate", "maxStartDate", true);
  const bool ends = check_days(in, of.min_end, of.max_end, "minEndDate", "maxEndDate", true);
  if (!starts || !ends) return false;
  const bool first = check_days(in, of.min_start, of.min_end, "minStartDate", "minEndDate", false);
  const bool last = check_days(in, of.max_start, of.max_end, "maxStartDate", "maxEndDate", false);
  return first && last;
}

inline constexpr auto window_object =
    record<domain::booking_window>(
        field("minStartDate", kind::day, &domain::booking_window::min_start, "The first check-in"),
        field("maxStartDate", kind::day, &domain::booking_window::max_start, "The last check-in"),
        field("minEndDate", kind::day, &domain::booking_window::min_end, "The first check-out"),
        field("maxEndDate", kind::day, &domain::booking_window::max_end, "The last check-out"))
        .finished_by(finish_window);

/// A booking's block is the service's own: no file has one.
inline constexpr std::array<std::string_view, 2> block_source_words{"manual", "channel"};

/// A value of which null stands for the one that means none.
template <typename Kind, typename V>
struct none_is_null {
  Kind kind;
  V none;

  constexpr json::facts said() const {
    auto facts = kind.said();
    facts.nullable = true;
    return facts;
  }
  bool read(reader& in, V& to) const {
    if (!in.is_null()) return kind.read(in, to);
    to = none;
    return true;
  }
  void write(std::string& to, const V& value) const {
    if (value == none)
      to += "null";
    else
      append_json(to, value);
  }
};

/// A configured short-term host, or null.
struct short_term_host {
  constexpr json::facts said() const { return {.type = "string", .nullable = true}; }
  bool read(reader& in, domain::rare_text& to) const {
    std::string name;
    const auto& hosts = in.file().short_term_hosts;
    if (!in.is_null() && !read_configured(in, name, hosts, "a configured short-term host")) return false;
    to = std::string_view{name};
    return true;
  }
  void write(std::string& to, const domain::rare_text& name) const {
    if (name.view().empty())
      to += "null";
    else
      append_quoted(to, name.view());
  }
};

inline bool finish_block(reading<domain::block>& at, bool good) {
  if (!good) return false;
  const auto& [first, last] = at.to.nights;
  const bool owned = at.to.host == "" || at.to.source == domain::block_source::channel ||
                     at.in.refuse_member("host", "belongs to channel blocks only");
  return check_days(at.in, first, last, "from", "to", true) && owned;
}

template <auto Member>
inline constexpr path<&domain::block::nights, Member> night;

inline constexpr auto block_object =
    record<domain::block>(
        field("from", kind::day, night<&domain::nights::first>, "The first blocked night"),
        field("to", none_is_null{kind::day, domain::no_end}, night<&domain::nights::last>,
              "The last blocked night; null: without end"),
        field("source", kind::choice{block_source_words}, &domain::block::source, "", optional),
        field("host", short_term_host{}, &domain::block::host,
              "The short-term host of a channel block, which does not get the block back", optional),
        field("id", none_is_null{kind::id, domain::uuid{}}, &domain::block::id,
              "null: kept by its nights, source and host from import to import", optional,
              checked_by{[](reading<domain::block>& at, const domain::uuid& id) {
                return id.is_nil() || at.in.file().unique.blocks.claim(at.in, id);
              }}))
        .finished_by(finish_block);

// Links

/// An ID that a platform has; null is the same as a missing one.
struct external_id {
  constexpr json::facts said() const {
    return {.type = "string", .nullable = true, .min_length = 1, .max_length = domain::longest_external_id};
  }
  bool read(reader& in, std::string& to) const {
    if (in.is_null()) return true;
    if (!in.is(json_type::text) || !domain::is_external_id(in.node().text))
      return in.refuse("must be text of 1 to 256 characters without control characters");
    to = in.node().text;
    return true;
  }
};

/// Fills in the external ID that the URL holds.
inline bool take_id_from_url(reader& in, domain::link& to) {
  auto found = domain::external_id_from_url(in.file().platform(to.platform), *to.url);
  if (const auto* wrong = std::get_if<domain::mapping_problem>(&found))
    return in.refuse_member("url", wrong->text);
  to.external_id = std::get<std::string>(std::move(found));
  return true;
}

inline bool finish_link(reading<domain::link>& at, bool good) {
  if (!good) return false;
  auto& in = at.in;
  auto& link = at.to;
  if (link.url.has_value() != link.external_id.empty())
    return in.refuse("must have either url or externalId");
  if (link.url && !take_id_from_url(in, link)) return false;
  if (!domain::is_external_id_of(in.file().platform(link.platform), link.external_id))
    return in.refuse_member(link.url ? "url" : "externalId",
                            "must hold the ID of a property, or of a property and a room joined with \"_\", "
                            "neither of them empty or with an underscore of its own");
  // A platform's name holds no line break, so the key is not ambiguous.
  return in.file().unique.external_ids.claim(in, link.platform + '\n' + link.external_id);
}

inline constexpr auto link_object =
    record<domain::link>(
        field("platform", kind::configured_platform, &domain::link::platform,
              "A configured platform, with one link of the unit",
              checked_by{[](reading<domain::link>& at, const std::string& platform) {
                const bool is_new =
                    std::ranges::find(at.earlier, platform, &domain::link::platform) == at.earlier.end();
                return is_new || at.in.refuse("is linked to this unit already");
              }}),
        // A bare ID deserves a better word than that it is no URL, so the mapping is the one to judge it.
        field("url", kind::text{.longest = 2'048, .may_be_blank = true}, &domain::link::url,
              "The unit's URL on the platform, which holds the ID",
              only_where{[](const domain::link& of) { return of.url.has_value(); }}),
        field("externalId", external_id{}, &domain::link::external_id, "In place of a URL: the ID itself",
              only_where{[](const domain::link& of) { return !of.url; }}))
        .finished_by(finish_link);

/// Platforms, each once.
struct platforms {
  constexpr json::facts said() const { return {.type = "array"}; }
  bool read(reader& in, std::vector<std::string>& to) const {
    return in.list(to, [&](std::string& platform) {
      if (!kind::configured_platform.read(in, platform)) return false;
      return std::ranges::find(to, platform) == to.end() || in.refuse("is named twice");
    });
  }
};

// The unit

/// Checks limits that may each be missing.
inline bool check_order(reader& in, const std::optional<int>& least, const std::optional<int>& greatest,
                        std::string_view least_name, std::string_view greatest_name) {
  if (!least || !greatest || *least <= *greatest) return true;
  return in.refuse_member(least_name, "must not be greater than " + std::string{greatest_name});
}

inline bool finish_unit(reading<domain::portfolio_unit>& at, bool good) {
  const auto& terms = at.to.terms;
  const auto& shown = at.to.presentation;
  const auto longest = terms.max_stay_months == 0 ? std::nullopt : terms.max_stay_months; // 0: no limit
  const bool stays = check_order(at.in, terms.min_stay_months, longest, "minStayMonths", "maxStayMonths");
  const bool ages = check_order(at.in, shown.min_age, shown.max_age, "minAge", "maxAge");
  return good && stays && ages;
}

inline void begin_unit(reading<domain::portfolio_unit>& at) {
  at.to.terms.property_id = at.in.file().property;
  at.to.terms.account_id = at.in.file().account;
}

template <auto Member>
inline constexpr path<&domain::portfolio_unit::terms, Member> term;
template <auto Member>
inline constexpr path<&domain::portfolio_unit::presentation, Member> shown;

inline constexpr kind::whole stay_months{0, domain::longest_stay_months}, age{0, 150};

inline constexpr auto unit_object =
    record<domain::portfolio_unit>(
        field("id", kind::id, term<&domain::unit::id>, "", unique_in<&uniqueness::units>),
        field("internalName", kind::name, term<&domain::unit::internal_name>, "Unique in the account",
              unique_in<&uniqueness::unit_names>),
        field("kind", kind::choice{domain::unit_kind_names}, term<&domain::unit::kind>,
              "What is rented; `property` is the whole of it", optional),
        field("roomLabel", kind::detail, term<&domain::unit::room_label>, "", optional),
        field("capacity", kind::whole{1, domain::largest_capacity}, term<&domain::unit::capacity>,
              "The most occupants", optional),
        object_field("rent", rent_object, term<&domain::unit::rent>,
                     "Without a usable rent the unit is in no feed", optional),
        field("minStayMonths", stay_months, term<&domain::unit::min_stay_months>, "0 or null: no limit",
              optional),
        field("maxStayMonths", stay_months, term<&domain::unit::max_stay_months>, "0 or null: no limit",
              optional),
        field("extraPricePerTenant", kind::amount, term<&domain::unit::extra_price_per_tenant>,
              "A month, for each occupant after the first", optional),
        field("extraDepositPerTenant", kind::amount, term<&domain::unit::extra_deposit_per_tenant>,
              "For each occupant after the first", optional),
        object_field("bills", bills_object, term<&domain::unit::bills>, "", optional),
        object_field("adminFee", admin_fee_object, term<&domain::unit::admin_fee>, "", optional),
        object_field("deposit", deposit_object, term<&domain::unit::deposit>, "", optional),
        field("exitFee", kind::amount, term<&domain::unit::exit_fee>, "", optional),
        field("localRentCap", kind::amount, term<&domain::unit::local_rent_cap>, "", optional),
        field("preparationDays", kind::whole{0, 366}, term<&domain::unit::preparation_days>,
              "Blocked nights after each booking", optional),
        field("advanceNoticeDays", kind::whole{0, longest_notice}, term<&domain::unit::advance_notice_days>,
              "null: the account's", optional),
        list_field("bookingWindows", window_object, term<&domain::unit::booking_windows>,
                   "When a stay may start and end, in the order in which they are published", optional,
                   apart),
        list_field("blocks", block_object, &domain::portfolio_unit::blocks, "Nights that cannot be sold",
                   optional, apart),
        field("shortTermIcalMaxDate", kind::day, term<&domain::unit::short_term_ical_max_date>,
              "The calendar export shows later nights as blocked", optional),
        field("sizeSquareMetres", kind::size, shown<&domain::unit_presentation::size_square_metres>, "",
              optional),
        field("floor", kind::detail, shown<&domain::unit_presentation::floor>, "", optional),
        field("registrationNumber", kind::detail, shown<&domain::unit_presentation::registration_number>, "",
              optional),
        field("minAge", age, shown<&domain::unit_presentation::min_age>, "", optional),
        field("maxAge", age, shown<&domain::unit_presentation::max_age>, "", optional),
        field("features", kind::labels, shown<&domain::unit_presentation::features>, "", optional),
        field("title", kind::localized{kind::detail}, shown<&domain::unit_presentation::title>, "By language",
              optional),
        field("description", kind::localized{kind::long_text}, shown<&domain::unit_presentation::description>,
              "By language", optional),
        list_field("images", image_object, shown<&domain::unit_presentation::images>, "", optional),
        list_field("links", link_object, &domain::portfolio_unit::links, "The unit's places on platforms",
                   optional, apart),
        field("excludedFrom", platforms{}, &domain::portfolio_unit::excluded_from,
              "Platforms in whose feeds the unit is not, and where it cannot be booked", optional, apart),
        field("archived", kind::flag, term<&domain::unit::archived>, "", optional))
        .begun_by(begin_unit)
        .finished_by(finish_unit)
        .in_lines();

} // namespace roost::portfolio
