#include "store/usage/usage.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/usage/costs.hpp"
#include "store/usage/usage_queries.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_set>

namespace roost::store {

namespace {

// Intervals

using std::chrono::milliseconds;

/// The range of a column.
constexpr domain::timestamp earliest = domain::date_of(std::chrono::year{1} / 1 / 1);
constexpr domain::timestamp latest =
    domain::date_of(std::chrono::year{9999} / 12 / 31) + domain::days{1} - milliseconds{1};

constexpr usage_interval empty_interval{latest, earliest};

} // namespace

usage_interval interval_of(const domain::ai_usage_filter& filter) {
  if (filter.from && *filter.from > latest) return empty_interval;
  if (filter.to && *filter.to < earliest) return empty_interval;
  return {std::clamp(filter.from.value_or(earliest), earliest, latest),
          std::clamp(filter.to.value_or(latest), earliest, latest)};
}

split_interval split_by_day(const domain::ai_usage_filter& filter) {
  const auto all = interval_of(filter);
  const auto first = std::chrono::ceil<domain::days>(all.begin);
  const auto last = std::chrono::floor<domain::days>(all.end + milliseconds{1}) - domain::days{1};
  if (all.is_empty() || last < first)
    return {all, domain::day_of(latest), domain::day_of(earliest), empty_interval};
  split_interval split{empty_interval, first, last, empty_interval};
  if (all.begin < first) split.before = {all.begin, first - milliseconds{1}};
  if (last + domain::days{1} <= all.end) split.after = {last + domain::days{1}, all.end};
  return split;
}

namespace {

// Pages

constexpr auto ledger_columns =
    columns(column("account_id", &domain::ai_usage_record::account_id), usage_columns);

const feature_query page_rows{
    "usage_page",
    {"select {columns} from ai_usage u join"
     " (select id from ai_usage where account_id = :account and created_at between :begin and :end{feature}"
     " order by created_at desc, id desc limit :limit offset :offset) as page on page.id = u.id"
     " order by u.created_at desc, u.id desc",
     {}},
    ledger_columns.of("u")};

const feature_query count_in_interval{"usage_count",
                                      {"select {columns} from ai_usage where account_id = :account and "
                                       "created_at between :begin and :end{feature}",
                                       {}},
                                      named<std::int64_t>("count(*)")};

const feature_query counts_of_days{
    "usage_counts_of_days",
    {"select {columns} from (select day, sum(calls) as calls from ai_usage_days"
     " where account_id = :account and day between :first_day and :last_day{feature}"
     " group by day) as days order by day desc",
     {}},
    named<domain::date>("day"),
    named<std::int64_t>("calls")};

/// The end of an interval and the number of its records.
struct counted_interval {
  domain::timestamp end;
  std::int64_t count = 0;
};

/// Splits the filter's interval into days and partial days; returns those with records, newest first.
std::vector<counted_interval> count_by_day(session& db, const domain::uuid& account,
                                           const domain::ai_usage_filter& filter) {
  auto& connection = db.internals();
  const auto split = split_by_day(filter);
  std::vector<counted_interval> intervals;
  const auto count_partial_day = [&](const usage_interval& interval) {
    if (interval.is_empty()) return;
    const auto values = usage_parameters(account, filter, {{"begin", interval.begin}, {"end", interval.end}});
    const auto count = connection.read_one(count_in_interval.select(filter), values).value_or(0);
    if (count > 0) intervals.push_back({interval.end, count});
  };
  count_partial_day(split.after);
  connection.read(
      counts_of_days.select(filter),
      usage_parameters(account, filter, {{"first_day", split.first_day}, {"last_day", split.last_day}}),
      [&](domain::date day, std::int64_t calls) {
        intervals.push_back({day + domain::days{1} - milliseconds{1}, calls});
      });
  count_partial_day(split.before);
  return intervals;
}

// Days

constexpr auto day_columns = columns(
    column("day", &domain::ai_usage_day::day), column("feature", &domain::ai_usage_day::feature),
    column("model", &domain::ai_usage_day::model), nested(&domain::ai_usage_day::used, totals_columns));

/// A day has one row for each feature and model, so the sum over a group is that row's cost.
std::string days_text(const std::string& cost) {
  const std::string grouped = "day, feature, model, calls, input_tokens, output_tokens,"
                              " cache_creation_input_tokens, cache_read_input_tokens";
  return "select {columns} from (select " + grouped + ", " + cost +
         " as cost from ai_usage_days where account_id = :account and day between :first_day and "
         ":last_day{feature} group by " +
         grouped + ") as days order by day, feature, model";
}

const feature_query days{"usage_days",
                         {days_text(sum_of_costs), days_text(sum_of_cost_parts)},
                         day_columns,
                         named<std::string>("cost")};

// Summaries

constexpr auto share_columns = columns(column("feature", &domain::ai_usage_share::feature),
                                       column("model", &domain::ai_usage_share::model),
                                       nested(&domain::ai_usage_share::used, totals_columns))
                                   .of("s");

/// Joins `format(name)` for all names, with a comma before each.
template <typename Format>
std::string join_columns(std::initializer_list<const char*> names, Format format) {
  std::string list;
  for (const std::string name : names) list += ", " + format(name);
  return list;
}

/// Sums up the totals of whole days and the records of partial days by feature and model. `costs` are the
/// columns of a cost; `cost` makes one text of their sums.
std::string summary_text(std::initializer_list<const char*> costs, const std::string& cost) {
  const std::initializer_list<const char*> counters{"input_tokens", "output_tokens",
                                                    "cache_creation_input_tokens", "cache_read_input_tokens"};
  const auto unchanged = [](const std::string& name) { return name; };
  const auto integer_sum = [](const std::string& name) {
    return "cast(sum(" + name + ") as bigint) as " + name;
  };
  const auto summed = join_columns(counters, unchanged) + join_columns(costs, unchanged);
  const auto records = [&](const std::string& interval) {
    return " union all select feature, model, 1" + summed +
           " from ai_usage where account_id = :account and created_at between :" + interval +
           "_begin and :" + interval + "_end{feature}";
  };
  return "select {columns} from (select feature, model, cast(sum(calls) as bigint) as calls" +
         join_columns(counters, integer_sum) + ", " + cost + " as cost from (select feature, model, calls" +
         summed +
         " from ai_usage_days where account_id = :account and day between :first_day and :last_day{feature}" +
         records("before") + records("after") +
         ") as used group by feature, model) as s"
         " left join ai_usage_newest n"
         " on n.account_id = :account and n.feature = s.feature and n.model = s.model";
}

const feature_query shares{
    "usage_summary",
    {summary_text({"cost"}, sum_of_costs),
     summary_text({"cost_giga", "cost_one", "cost_nano", "cost_atto"}, sum_of_cost_parts)},
    share_columns,
    named<std::string>("s.cost"),
    named<std::optional<std::string>>("n.pricing_snapshot")};

} // namespace

/// Skips whole days by their counts, so that only the records of the last skipped day are scanned.
domain::ai_usage_page read_usage_page(session& db, const domain::uuid& account,
                                      const domain::ai_usage_filter& filter, std::int64_t offset,
                                      std::int64_t limit) {
  const transaction snapshot(db, transaction::purpose::read);
  domain::ai_usage_page page;
  auto interval = interval_of(filter);
  bool has_start = false;
  for (const auto& counted : count_by_day(db, account, filter)) {
    if (!has_start && offset < counted.count) {
      interval.end = counted.end;
      has_start = true;
    }
    if (!has_start) offset -= counted.count;
    page.total += counted.count;
  }
  if (!has_start) return page;
  const auto values = usage_parameters(
      account, filter,
      {{"begin", interval.begin}, {"end", interval.end}, {"limit", limit}, {"offset", offset}});
  page.items = db.internals().read_all(page_rows.select(filter), values);
  return page;
}

domain::ai_usage_summary read_usage_summary(session& db, const domain::uuid& account,
                                            const domain::ai_usage_filter& filter) {
  const auto split = split_by_day(filter);
  const auto values = usage_parameters(account, filter,
                                       {{"first_day", split.first_day},
                                        {"last_day", split.last_day},
                                        {"before_begin", split.before.begin},
                                        {"before_end", split.before.end},
                                        {"after_begin", split.after.begin},
                                        {"after_end", split.after.end}});
  domain::ai_usage_summary summary;
  db.internals().read(shares.select(filter), values,
                      [&](domain::ai_usage_share&& share, const std::string& cost,
                          const std::optional<std::string>& newest_price) {
                        share.used.cost = parse_cost(cost);
                        if (newest_price) share.price = price_of(*newest_price);
                        summary.totals += share.used;
                        summary.breakdown.push_back(std::move(share));
                      });
  std::ranges::sort(summary.breakdown, {},
                    [](const domain::ai_usage_share& share) { return std::tie(share.feature, share.model); });
  return summary;
}

std::vector<domain::ai_usage_day> read_usage_days(session& db, const domain::uuid& account,
                                                  const domain::ai_usage_filter& filter) {
  std::vector<domain::ai_usage_day> result;
  const auto split = split_by_day(filter);
  db.internals().read(
      days.select(filter),
      usage_parameters(account, filter, {{"first_day", split.first_day}, {"last_day", split.last_day}}),
      [&](domain::ai_usage_day&& day, const std::string& cost) {
        day.used.cost = parse_cost(cost);
        result.push_back(std::move(day));
      });
  return result;
}

namespace {

// Writes

/// The number of records per transaction of an import, and the pause after each transaction: a connection
/// that waits for SQLite's single write lock initially retries every 25 ms.
constexpr std::size_t batch_size = 500;
constexpr std::chrono::milliseconds batch_pause{60};

const auto ledger = table_of<ledger_columns>("ai_usage");

const selection known_accounts{"known_accounts", "select {columns} from accounts where id in {ids uuid}",
                               named<domain::uuid>("id")};

using account_set = std::unordered_set<domain::uuid, domain::uuid_hash>;

account_set existing_accounts(session& db, std::span<const domain::uuid> accounts) {
  auto& connection = db.internals();
  const auto ids = connection.read_all(known_accounts, {{"ids", connection.list(accounts)}});
  return {ids.begin(), ids.end()};
}

std::vector<domain::uuid> accounts_in(std::span<const domain::ai_usage_record> records) {
  account_set accounts;
  for (const auto& record : records)
    if (record.account_id) accounts.insert(*record.account_id);
  return {accounts.begin(), accounts.end()};
}

usage_written add(session& db, std::span<const domain::ai_usage_record> records) {
  const auto accounts = existing_accounts(db, accounts_in(records));
  usage_written written;
  bulk_writer rows(db, ledger, bulk_mode::insert_new);
  for (const auto& record : records) {
    if (record.account_id && !accounts.contains(*record.account_id))
      ++written.refused;
    else
      rows.add(record);
  }
  written.recorded = static_cast<std::size_t>(rows.finish());
  written.known = records.size() - written.refused - written.recorded;
  return written;
}

} // namespace

usage_written record_usage(session& db, const lease& held, std::span<const domain::ai_usage_record> records) {
  write_transaction txn(db, held);
  const auto written = add(db, records);
  txn.commit();
  return written;
}

usage_written import_usage(session& db, std::span<const domain::ai_usage_record> records,
                           const std::function<void(std::size_t processed)>& progress) {
  usage_written written;
  for (std::size_t start = 0; start < records.size(); start += batch_size) {
    const auto batch = records.subspan(start, std::min(batch_size, records.size() - start));
    {
      transaction txn(db, transaction::purpose::write);
      written += add(db, batch);
      refuse_while_copied(db); // a copy may have moved the store since the command began
      txn.commit();
    }
    if (progress) progress(start + batch.size());
    if (db.is_sqlite() && start + batch.size() < records.size() && has_active_server(db))
      std::this_thread::sleep_for(batch_pause);
  }
  return written;
}

std::vector<domain::uuid> unknown_accounts(session& db, std::span<const domain::uuid> accounts) {
  const auto known = existing_accounts(db, accounts);
  std::vector<domain::uuid> unknown;
  std::ranges::copy_if(accounts, std::back_inserter(unknown),
                       [&](const domain::uuid& id) { return !known.contains(id); });
  return unknown;
}

} // namespace roost::store
