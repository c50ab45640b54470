#pragma once

#include "domain/ai_usage.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"

#include <string>
#include <string_view>
#include <utility>

/// What the queries of the ledger have in common. This header is for the .cpp files of this component.
namespace roost::store {

/// Selects a sum as one text in each database.
inline constexpr const char* sum_of_costs = "sum(cost)";
inline constexpr const char* sum_of_cost_parts =
    "sum(cost_giga) || ' ' || sum(cost_one) || ' ' || sum(cost_nano) || ' ' || sum(cost_atto)";

/// Returns the texts with `condition` in place of each `{feature}`.
inline texts_by_dialect with_feature(texts_by_dialect texts, std::string_view condition) {
  constexpr std::string_view placeholder = "{feature}";
  for (auto* text : {&texts.postgresql, &texts.sqlite})
    for (auto at = text->find(placeholder); at != std::string::npos; at = text->find(placeholder))
      text->replace(at, placeholder.size(), condition);
  return texts;
}

/// A query in two variants, with and without a condition on the feature, so that each has its own plan.
template <typename... Parts>
class feature_query {
public:
  feature_query(const std::string& name, const texts_by_dialect& texts, const Parts&... parts)
      : any_(name, with_feature(texts, ""), parts...),
        one_(name + "_of_feature", with_feature(texts, " and feature = :feature"), parts...) {}

  const selection<Parts...>& select(const domain::ai_usage_filter& filter) const {
    return filter.feature ? one_ : any_;
  }

private:
  selection<Parts...> any_, one_;
};

/// Adds the parameters of every query to those of one.
inline parameters usage_parameters(const domain::uuid& account, const domain::ai_usage_filter& filter,
                                   parameters values) {
  values.emplace_back("account", account);
  if (filter.feature) values.emplace_back("feature", domain::to_string(*filter.feature));
  return values;
}

/// The columns of totals, without their cost.
inline constexpr auto totals_columns = columns(column("calls", &domain::ai_usage_totals::calls),
                                               nested(&domain::ai_usage_totals::tokens, token_columns));

} // namespace roost::store
