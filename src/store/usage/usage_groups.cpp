#include "store/usage/usage_groups.hpp"

#include "store/database/transaction.hpp"
#include "store/usage/costs.hpp"
#include "store/usage/usage.hpp"
#include "store/usage/usage_queries.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace roost::store {

namespace {

using domain::ai_usage_group, domain::ai_usage_grouping;

std::string users_text(const std::string& cost) {
  return "select {columns} from (select user_id, count(*) as calls,"
         " cast(sum(input_tokens) as bigint) as input_tokens,"
         " cast(sum(output_tokens) as bigint) as output_tokens,"
         " cast(sum(cache_creation_input_tokens) as bigint) as cache_creation_input_tokens,"
         " cast(sum(cache_read_input_tokens) as bigint) as cache_read_input_tokens, " +
         cost +
         " as cost from ai_usage where account_id = :account and created_at between :begin and :end{feature}"
         " group by user_id) as users";
}

const feature_query users{
    "usage_of_users",
    {users_text(sum_of_costs), users_text(sum_of_cost_parts)},
    columns(column("user_id", &ai_usage_group::user_id), nested(&ai_usage_group::used, totals_columns)),
    named<std::string>("cost")};

std::vector<ai_usage_group> groups_by_user(session& db, const domain::uuid& account,
                                           const domain::ai_usage_filter& filter) {
  const auto interval = interval_of(filter);
  std::vector<ai_usage_group> groups;
  db.internals().read(users.select(filter),
                      usage_parameters(account, filter, {{"begin", interval.begin}, {"end", interval.end}}),
                      [&](ai_usage_group&& group, const std::string& cost) {
                        group.by = ai_usage_grouping::user;
                        group.used.cost = parse_cost(cost);
                        groups.push_back(std::move(group));
                      });
  // Not sorted by the databases: their orders of texts differ.
  std::ranges::sort(groups, {},
                    [](const ai_usage_group& group) { return std::tuple(!group.user_id, group.user_id); });
  return groups;
}

/// Calls `visit(day, interval)` for each day of an interval with its part of it.
template <typename Visit>
void for_each_day(const usage_interval& interval, Visit visit) {
  for (auto begin = interval.begin; begin <= interval.end;) {
    const auto day = domain::day_of(begin);
    const domain::timestamp next = day + domain::days{1};
    visit(day, usage_interval{begin, std::min(interval.end, next - std::chrono::milliseconds{1})});
    begin = next;
  }
}

std::vector<ai_usage_group> groups_by_day(session& db, const domain::uuid& account,
                                          const domain::ai_usage_filter& filter) {
  std::map<domain::date, domain::ai_usage_totals> by_day;
  const auto split = split_by_day(filter);
  for (const auto& partial : {split.before, split.after})
    for_each_day(partial, [&](domain::date day, const usage_interval& interval) {
      const auto used =
          read_usage_summary(db, account, {interval.begin, interval.end, filter.feature}).totals;
      if (used.calls > 0) by_day[day] += used;
    });
  for (const auto& each : read_usage_days(db, account, filter)) by_day[each.day] += each.used;
  std::vector<ai_usage_group> groups;
  groups.reserve(by_day.size());
  for (auto& [day, used] : by_day) groups.push_back({ai_usage_grouping::day, day, {}, std::move(used)});
  return groups;
}

} // namespace

domain::ai_usage_summary read_usage_groups(session& db, const domain::uuid& account,
                                           const domain::ai_usage_filter& filter,
                                           domain::ai_usage_grouping by) {
  const transaction snapshot(db, transaction::purpose::read);
  auto summary = read_usage_summary(db, account, filter);
  summary.grouped_by = by;
  summary.groups =
      by == ai_usage_grouping::day ? groups_by_day(db, account, filter) : groups_by_user(db, account, filter);
  return summary;
}

} // namespace roost::store
