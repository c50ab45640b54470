#include "store/columns/enum_text.hpp"
#include "store/database/connection.hpp"
#include "store/usage/usage_costs.hpp"
#include "store/usage/usage_filter.hpp"
#include "store/usage/usage_reads.hpp"

namespace roost::store {

namespace {

constexpr auto day_columns =
    columns(column("day", &domain::ai_usage_day::day), column("feature", &domain::ai_usage_day::feature),
            column("model", &domain::ai_usage_day::model),
            column("calls", &domain::ai_usage_day::used, &domain::ai_usage_totals::calls),
            column("input_tokens", &domain::ai_usage_day::used, &domain::ai_usage_totals::tokens,
                   &domain::ai_tokens::input),
            column("output_tokens", &domain::ai_usage_day::used, &domain::ai_usage_totals::tokens,
                   &domain::ai_tokens::output),
            column("cache_creation_input_tokens", &domain::ai_usage_day::used,
                   &domain::ai_usage_totals::tokens, &domain::ai_tokens::cache_creation),
            column("cache_read_input_tokens", &domain::ai_usage_day::used, &domain::ai_usage_totals::tokens,
                   &domain::ai_tokens::cache_read));

/// A day has one row of each feature and model, so its sum is its cost.
std::string days_text(const std::string& cost, const std::string& feature) {
  const std::string counted = "day, feature, model, calls, input_tokens, output_tokens,"
                              " cache_creation_input_tokens, cache_read_input_tokens";
  return "select {columns} from (select " + counted + ", " + cost +
         " as cost from ai_usage_days where account_id = :account and day between :first_day and :last_day" +
         feature + " group by " + counted + ") as days order by day, feature, model";
}

const by_filter days{[](const std::string& feature) {
  return selection{feature.empty() ? "usage_days" : "usage_days_of_feature",
                   texts_by_dialect{days_text(sum_of_costs, feature), days_text(sum_of_cost_parts, feature)},
                   day_columns, named<std::string>("cost")};
}};

} // namespace

std::vector<domain::ai_usage_day> read_usage_days(session& db, const domain::uuid& account,
                                                  const domain::ai_usage_filter& filter) {
  const auto times = times_of(filter);
  std::vector<domain::ai_usage_day> found;
  db.internals().read(days.of(filter), parameters_of(account, filter, times.first_day, times.last_day),
                      [&](domain::ai_usage_day&& day, const std::string& cost) {
                        day.used.cost = cost_in(cost);
                        found.push_back(std::move(day));
                      });
  return found;
}

} // namespace roost::store
