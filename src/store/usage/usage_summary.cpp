#include "store/columns/enum_text.hpp"
#include "store/database/connection.hpp"
#include "store/usage/usage_costs.hpp"
#include "store/usage/usage_filter.hpp"
#include "store/usage/usage_reads.hpp"

#include <algorithm>
#include <tuple>

namespace roost::store {

namespace {

constexpr auto share_columns = columns(
    column("s.feature", &domain::ai_usage_share::feature), column("s.model", &domain::ai_usage_share::model),
    column("s.calls", &domain::ai_usage_share::used, &domain::ai_usage_totals::calls),
    column("s.input_tokens", &domain::ai_usage_share::used, &domain::ai_usage_totals::tokens,
           &domain::ai_tokens::input),
    column("s.output_tokens", &domain::ai_usage_share::used, &domain::ai_usage_totals::tokens,
           &domain::ai_tokens::output),
    column("s.cache_creation_input_tokens", &domain::ai_usage_share::used, &domain::ai_usage_totals::tokens,
           &domain::ai_tokens::cache_creation),
    column("s.cache_read_input_tokens", &domain::ai_usage_share::used, &domain::ai_usage_totals::tokens,
           &domain::ai_tokens::cache_read));

/// Names of columns, each as `form` makes it.
template <typename Form>
std::string listed(std::initializer_list<const char*> names, Form form) {
  std::string list;
  for (const std::string name : names) list += ", " + form(name);
  return list;
}

/// Rows of days and of single records beside each other, summed up by feature and model. `costs` are the
/// columns of a cost, `cost` makes one text of their sums.
std::string summary_text(std::initializer_list<const char*> costs, const std::string& cost,
                         const std::string& feature) {
  const std::initializer_list<const char*> counters{"input_tokens", "output_tokens",
                                                    "cache_creation_input_tokens", "cache_read_input_tokens"};
  const auto as_it_is = [](const std::string& name) { return name; };
  const auto whole_sum = [](const std::string& name) {
    return "cast(sum(" + name + ") as bigint) as " + name;
  };
  const auto counted = listed(counters, as_it_is) + listed(costs, as_it_is);
  const auto records = [&](const std::string& run) {
    return " union all select feature, model, 1" + counted +
           " from ai_usage where account_id = :account and created_at between :" + run +
           "_begin and :" + run + "_end" + feature;
  };
  return "select {columns} from (select feature, model, cast(sum(calls) as bigint) as calls" +
         listed(counters, whole_sum) + ", " + cost + " as cost from (select feature, model, calls" + counted +
         " from ai_usage_days where account_id = :account and day between :first_day and :last_day" +
         feature + records("before") + records("after") +
         ") as used group by feature, model) as s"
         " left join ai_usage_newest n"
         " on n.account_id = :account and n.feature = s.feature and n.model = s.model";
}

const by_filter shares{[](const std::string& feature) {
  return selection{feature.empty() ? "usage_summary" : "usage_summary_of_feature",
                   texts_by_dialect{summary_text({"cost"}, sum_of_costs, feature),
                                    summary_text({"cost_giga", "cost_one", "cost_nano", "cost_atto"},
                                                 sum_of_cost_parts, feature)},
                   share_columns, named<std::string>("s.cost"),
                   named<std::optional<std::string>>("n.pricing_snapshot")};
}};

} // namespace

domain::ai_usage_summary read_usage_summary(session& db, const domain::uuid& account,
                                            const domain::ai_usage_filter& filter) {
  const auto times = times_of(filter);
  auto wanted = parameters_of(account, filter, times.first_day, times.last_day);
  wanted.emplace_back("before_begin", to_cell(times.before.begin));
  wanted.emplace_back("before_end", to_cell(times.before.end));
  wanted.emplace_back("after_begin", to_cell(times.after.begin));
  wanted.emplace_back("after_end", to_cell(times.after.end));
  domain::ai_usage_summary summary;
  db.internals().read(
      shares.of(filter), wanted,
      [&](domain::ai_usage_share&& share, const std::string& cost, const std::optional<std::string>& newest) {
        share.used.cost = cost_in(cost);
        if (newest) share.price = domain::price_of(*newest);
        summary.totals += share.used;
        summary.breakdown.push_back(std::move(share));
      });
  std::ranges::sort(summary.breakdown, {},
                    [](const domain::ai_usage_share& share) { return std::tie(share.feature, share.model); });
  return summary;
}

} // namespace roost::store
