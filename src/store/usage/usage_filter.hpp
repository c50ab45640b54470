#pragma once

#include "store/database/connection.hpp"
#include "store/usage/usage_times.hpp"

#include <string>

/// How queries of the ledger restrict what they read.
namespace roost::store {

/// A query in two forms, without a feature and with one, so that each has a plan of its own. `Make` makes
/// one, with a name of its own, of the text that restricts the feature.
template <typename Make>
class by_filter {
  using selection_type = decltype(std::declval<Make>()(std::string{}));

public:
  explicit by_filter(Make make) : any_(make("")), one_(make(" and feature = :feature")) {}

  const selection_type& of(const domain::ai_usage_filter& filter) const {
    return filter.feature ? one_ : any_;
  }

private:
  selection_type any_, one_;
};

inline parameters parameters_of(const domain::uuid& account, const domain::ai_usage_filter& filter) {
  parameters with{{"account", to_cell(account)}};
  if (filter.feature) with.emplace_back("feature", to_cell(domain::to_string(*filter.feature)));
  return with;
}

inline parameters parameters_of(const domain::uuid& account, const domain::ai_usage_filter& filter,
                                const usage_run& run) {
  auto with = parameters_of(account, filter);
  with.emplace_back("begin", to_cell(run.begin));
  with.emplace_back("end", to_cell(run.end));
  return with;
}

inline parameters parameters_of(const domain::uuid& account, const domain::ai_usage_filter& filter,
                                domain::date first_day, domain::date last_day) {
  auto with = parameters_of(account, filter);
  with.emplace_back("first_day", to_cell(first_day));
  with.emplace_back("last_day", to_cell(last_day));
  return with;
}

} // namespace roost::store
