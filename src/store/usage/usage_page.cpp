#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/usage/usage_filter.hpp"
#include "store/usage/usage_reads.hpp"

namespace roost::store {

namespace {

const by_filter page_rows{[](const std::string& feature) {
  return selection{
      feature.empty() ? "usage_page" : "usage_page_of_feature",
      ("select {columns} from ai_usage u join"
       " (select id from ai_usage where account_id = :account and created_at between :begin and :end" +
       feature +
       " order by created_at desc, id desc limit :most offset :skip) as page on page.id = u.id"
       " order by u.created_at desc, u.id desc")
          .c_str(),
      columns(column("account_id", &domain::ai_usage_record::account_id), usage_columns).of("u")};
}};

const by_filter count_in_run{[](const std::string& feature) {
  return selection{
      feature.empty() ? "usage_count" : "usage_count_of_feature",
      ("select {columns} from ai_usage where account_id = :account and created_at between :begin and :end" +
       feature)
          .c_str(),
      named<std::int64_t>("count(*)")};
}};

const by_filter counts_of_days{[](const std::string& feature) {
  return selection{feature.empty() ? "usage_counts_of_days" : "usage_counts_of_days_of_feature",
                   ("select {columns} from (select day, sum(calls) as calls from ai_usage_days"
                    " where account_id = :account and day between :first_day and :last_day" +
                    feature + " group by day) as days order by day desc")
                       .c_str(),
                   named<domain::date>("day"), named<std::int64_t>("calls")};
}};

/// How many records there are up to a moment, and since an earlier one.
struct counted_run {
  domain::timestamp end;
  std::int64_t count = 0;
};

/// The filter's time cut into runs, the newest first, without those that hold nothing.
std::vector<counted_run> counted_runs(session& db, const domain::uuid& account,
                                      const domain::ai_usage_filter& filter) {
  auto& connection = db.internals();
  const auto times = times_of(filter);
  std::vector<counted_run> runs;
  const auto count = [&](const usage_run& run) {
    if (run.is_empty()) return;
    const auto found =
        connection.read_one(count_in_run.of(filter), parameters_of(account, filter, run)).value_or(0);
    if (found > 0) runs.push_back({run.end, found});
  };
  count(times.after);
  connection.read(counts_of_days.of(filter), parameters_of(account, filter, times.first_day, times.last_day),
                  [&](domain::date day, std::int64_t calls) {
                    runs.push_back({day + domain::days{1} - std::chrono::milliseconds{1}, calls});
                  });
  count(times.before);
  return runs;
}

} // namespace

/// Counting has told how many records each day has: the ones to be skipped are passed by a day at a time, and
/// only those of the last one are read.
domain::ai_usage_page read_usage_page(session& db, const domain::uuid& account,
                                      const domain::ai_usage_filter& filter, std::int64_t skip,
                                      std::int64_t most) {
  const transaction snapshot(db, transaction::purpose::read);
  domain::ai_usage_page page;
  auto run = run_of(filter);
  bool found = false;
  for (const auto& each : counted_runs(db, account, filter)) {
    if (!found && skip < each.count) {
      run.end = each.end;
      found = true;
    }
    if (!found) skip -= each.count;
    page.total += each.count;
  }
  if (!found) return page;
  auto wanted = parameters_of(account, filter, run);
  wanted.emplace_back("most", to_cell(most));
  wanted.emplace_back("skip", to_cell(skip));
  page.items = db.internals().read_all(page_rows.of(filter), wanted);
  return page;
}

} // namespace roost::store
