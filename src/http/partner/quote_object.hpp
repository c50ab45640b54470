#pragma once

#include "domain/stay_decision.hpp"
#include "http/partner/outcome_names.hpp"
#include "json/schema.hpp"
#include "portfolio/description.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The description of a quote for partners and the office. This header is for the .cpp files that hold
/// descriptions.
namespace roost::http {

/// The admin fee of a stay.
struct quoted_fee {
  domain::money amount;
  std::optional<int> from_days; ///< of the tier that applies

  friend bool operator==(const quoted_fee&, const quoted_fee&) = default;
};

/// A quote with its texts.
struct quote_view {
  domain::stay_quote quote;
  domain::date check_out{};
  std::vector<std::string> refusals, warnings;
};

inline quote_view view_of(domain::stay_quote quote, domain::date check_out) {
  quote_view view{std::move(quote), check_out, {}, {}};
  const auto& decision = view.quote.decision;
  for (const auto refusal : decision.refusals) view.refusals.emplace_back(partner_name_of(refusal));
  for (const auto warning : decision.warnings) view.warnings.emplace_back(domain::to_string(warning));
  return view;
}

namespace quote_objects {

template <auto Member>
inline constexpr auto of_costs = portfolio::via(&quote_view::quote, &domain::stay_quote::costs, Member);

inline const std::vector<domain::payment_line>& plan_of(const quote_view& view) {
  return view.quote.decision.terms->plan;
}
inline bool is_available(const quote_view& view) { return !view.quote.decision.refused(); }
inline quoted_fee admin_fee_of(const quote_view& view) {
  return {view.quote.costs.admin_fee, view.quote.costs.admin_fee_from_days};
}

/// A month as `2027-02`.
struct stay_month {
  constexpr json::facts schema_facts() const { return {.type = "string", .pattern = "^[0-9]{4}-[0-9]{2}$"}; }
  void write(std::string& to, domain::date month) const {
    constexpr std::size_t length = 7; // of YYYY-MM
    portfolio::append_quoted(to, domain::to_short_text(month).view().substr(0, length));
  }
};

/// A list of texts that is only written.
struct written_texts {
  json::schema schema() const { return json::array_of({{.type = "string"}}); }
};

} // namespace quote_objects

inline constexpr auto stay_nights_object = portfolio::record<domain::nights>(
    portfolio::field("from", portfolio::kind::day, &domain::nights::first, "The first night"),
    portfolio::field("to", portfolio::kind::day, &domain::nights::last, "The last one"));

inline constexpr auto plan_line_object = portfolio::record<domain::payment_line>(
    portfolio::field("what", portfolio::kind::choice{domain::payment_kind_names}, &domain::payment_line::kind,
                     "`provider_platform_payment`: what the platform pays to the landlord"),
    portfolio::field("amount", portfolio::kind::amount, &domain::payment_line::amount,
                     "In the account's currency"),
    portfolio::field("due", portfolio::kind::day, &domain::payment_line::due, "The last day of payment"));

inline constexpr auto month_of_stay_object = portfolio::record<domain::month_of_stay>(
    portfolio::field("month", quote_objects::stay_month{}, &domain::month_of_stay::first_night,
                     "As `2027-02`"),
    portfolio::field("nights", portfolio::kind::whole{1, std::numeric_limits<std::int32_t>::max()},
                     &domain::month_of_stay::nights, "Of the stay in this month"),
    portfolio::field("amount", portfolio::kind::amount, &domain::month_of_stay::amount,
                     "The rent of these nights, in the quote's currency"));

inline constexpr auto stay_admin_fee_object = portfolio::record<quoted_fee>(
    portfolio::field("amount", portfolio::kind::amount, &quoted_fee::amount, "In the quote's currency"),
    portfolio::field("fromDays", portfolio::kind::whole{1, 36'500}, &quoted_fee::from_days,
                     "Of the tier that applies; null: a fixed fee or none"));

inline constexpr auto quote_object = portfolio::record<quote_view>(
    portfolio::field("available", portfolio::kind::flag, quote_objects::is_available,
                     "Whether a booking would be made now"),
    portfolio::field(
        "takenNights", portfolio::kind::list{stay_nights_object},
        portfolio::via(&quote_view::quote, &domain::stay_quote::decision, &domain::stay_decision::taken),
        "The nights of the stay that are taken"),
    portfolio::field("refusals", quote_objects::written_texts{}, &quote_view::refusals,
                     "Why the booking would be refused: `listing_not_found`, `nights_taken`, "
                     "`no_payment_value`"),
    portfolio::field("warnings", quote_objects::written_texts{}, &quote_view::warnings,
                     "Limits that the stay exceeds, which do not prevent it: `above_capacity`, "
                     "`shorter_than_minimum`, `longer_than_maximum`"),
    portfolio::field("rent", portfolio::kind::list{month_of_stay_object},
                     quote_objects::of_costs<&domain::stay_costs::rent>, "By month"),
    portfolio::field("cleaningFee", portfolio::kind::amount,
                     quote_objects::of_costs<&domain::stay_costs::cleaning_fee>,
                     "Of the whole stay, in the quote's currency"),
    portfolio::field("adminFee", portfolio::kind::object{stay_admin_fee_object}, quote_objects::admin_fee_of,
                     "One fee per booking"),
    portfolio::field("exitFee", portfolio::kind::amount,
                     quote_objects::of_costs<&domain::stay_costs::exit_fee>,
                     "Due at check-out, in the quote's currency"),
    portfolio::field("deposit", portfolio::kind::amount,
                     quote_objects::of_costs<&domain::stay_costs::deposit>,
                     "Returned after the stay, in the quote's currency"),
    portfolio::field("total", portfolio::kind::amount, quote_objects::of_costs<&domain::stay_costs::total>,
                     "What the tenant pays, the deposit included, in the quote's currency"),
    portfolio::field("currency", portfolio::kind::currency,
                     portfolio::via(&quote_view::quote, &domain::stay_quote::currency),
                     "Of all amounts: that of the landlord's account"),
    portfolio::field("plan", portfolio::kind::list{plan_line_object}, quote_objects::plan_of,
                     "That of the booking, by due date; the platform's payment is the last line"));

} // namespace roost::http
