#include "store/copy/copy.hpp"

#include "store/copy/copy_guard.hpp"
#include "store/copy/copy_target.hpp"
#include "store/copy/table_io.hpp"
#include "store/database/connection.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

namespace roost::store {

namespace {

constexpr const char* source_name = "the source";
constexpr const char* target_name = "the target";

/// Throws copy_refused unless this is a finished store with the current schema.
void require_store(session& db, const std::string& store_name) {
  db.connect_to_existing();
  if (!has_schema(db)) throw copy_refused(store_name + " is not a Roost store yet");
  if (!schema_is_current(db))
    throw copy_refused(store_name + "'s schema is older than this program: run `roost migrate` on it first");
  if (read_copy_marker(db)) throw copy_refused(store_name + " is itself an unfinished copy");
}

void require_distinct_stores(session& source, session& target) {
  const auto& source_file = source.internals().file();
  const auto& target_file = target.internals().file();
  std::error_code ignored;
  if (source.is_sqlite() && target.is_sqlite() &&
      std::filesystem::equivalent(source_file, target_file, ignored))
    throw copy_refused("the target is the source itself");
}

/// Throws copy_refused for a piecewise SQLite import, which commits before it has written all rows.
void refuse_pending_import(session& source) {
  static const selection pending{"copy_pending_import", "select {columns} from pending_import",
                                 named<bool>("count(*) > 0")};
  if (source.is_sqlite() && source.internals().read_one(pending).value_or(false))
    throw copy_refused("an import into the source is not finished: start its server once, or import again");
}

std::int64_t count_rows(session& db, const planned_table& table) {
  const std::string name(table.entry->name);
  try {
    const selection count{"copy_count_" + name, "select {columns} from " + name,
                          named<std::int64_t>("count(*)")};
    return db.internals().read_one(count).value_or(0);
  } catch (const unavailable&) { // took too long; only the progress bar needs the count
    return 0;
  }
}

/// Counts the rows of all tables, outside a transaction because a count that takes too long would end it.
std::vector<std::int64_t> count_all(session& db, const std::vector<planned_table>& plan) {
  std::vector<std::int64_t> counts;
  counts.reserve(plan.size());
  for (const auto& table : plan) counts.push_back(count_rows(db, table));
  return counts;
}

constexpr std::int64_t max_listed_differences = 20;

/// The result of comparing one table.
struct table_comparison {
  std::int64_t rows = 0; ///< in the source
  std::int64_t differing = 0;
  /// Messages about the first differing rows; they contain no values except the key.
  std::vector<std::string> differences;
};

struct comparison_settings {
  std::size_t page_rows;
  /// Whether to ignore the audit entries that copies themselves write.
  bool ignores_copy_entries;
  /// Receives the number of compared rows regularly, even while a store is unavailable. An exception from it
  /// ends the comparison.
  std::function<void(std::int64_t rows)> progress;
};

/// Iterates over the rows of one side of the comparison.
class row_cursor {
public:
  /// Calls `on_retry` as retry_while_unavailable() does.
  row_cursor(store::snapshot& snapshot, const planned_table& table, copy_side side,
             const comparison_settings& settings, std::function<void()> on_retry)
      : snapshot_(snapshot), on_retry_(std::move(on_retry)),
        reader_(snapshot.db(), table, side, {},
                settings.ignores_copy_entries && table.entry->name == "audit" ? "action <> 'copy'" : ""),
        width_(table.columns.size()), page_rows_(settings.page_rows) {
    read();
  }

  bool is_at_end() const { return rows_->empty(); }
  cell_view operator[](std::size_t column) const { return (*rows_)[at_ + column]; }

  void advance() {
    at_ += width_;
    if (at_ < rows_->size()) return;
    if (is_last_page_)
      rows_ = &no_rows_;
    else
      read();
  }

private:
  void read() {
    snapshot_.read(on_retry_, [this] { rows_ = &reader_.next(page_rows_); });
    is_last_page_ = rows_->size() < page_rows_ * width_;
    at_ = 0;
  }

  store::snapshot& snapshot_;
  std::function<void()> on_retry_;
  table_reader reader_;
  const std::size_t width_, page_rows_;
  const cell_list no_rows_{}, *rows_ = &no_rows_;
  std::size_t at_ = 0;
  bool is_last_page_ = false;
};

/// Returns the marker of an unfinished copy; nullopt if there is none, or no store yet.
std::optional<copy_marker> read_marker_if_any(session& target) {
  try {
    target.connect_to_existing();
  } catch (const no_store&) {
    return std::nullopt;
  }
  return has_schema(target) && schema_is_current(target) ? read_copy_marker(target) : std::nullopt;
}

std::int64_t parse_integer(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Compares all rows of a table, in the order of the key.
class table_comparer {
public:
  table_comparer(snapshot& source, snapshot& target, const planned_table& table,
                 const comparison_settings& settings)
      : table_(table), settings_(settings),
        is_same_dialect_(source.db().is_sqlite() == target.db().is_sqlite()),
        source_(source, table, copy_side::source, settings, [this] { report_progress(); }),
        target_(target, table, copy_side::target, settings, [this] { report_progress(); }) {}

  table_comparison run() {
    while (!source_.is_at_end() || !target_.is_at_end()) {
      const int order = source_.is_at_end() ? 1 : target_.is_at_end() ? -1 : compare_keys();
      if (order > 0) {
        add_difference(target_, "is in the target only");
        target_.advance();
        continue;
      }
      if (order < 0)
        add_difference(source_, "is missing in the target");
      else
        compare_columns();
      if (++result_.rows % static_cast<std::int64_t>(settings_.page_rows) == 0) report_progress();
      source_.advance();
      if (order == 0) target_.advance();
    }
    report_progress();
    return std::move(result_);
  }

private:
  void report_progress() const { settings_.progress(result_.rows); }

  int compare_keys() const {
    for (const auto column : table_.key) {
      const auto a = source_[column].value_or(""), b = target_[column].value_or("");
      if (a == b) continue;
      if (table_.columns[column].form == value_form::integer)
        return parse_integer(a) < parse_integer(b) ? -1 : 1;
      return a < b ? -1 : 1;
    }
    return 0;
  }

  bool is_equal(std::size_t column) const {
    const auto a = source_[column], b = target_[column];
    if (a == b) return true;
    const auto form = table_.columns[column].form;
    if (!a || !b || (is_same_dialect_ && form != value_form::real)) return false;
    return canonical_text(form, *a) == canonical_text(form, *b);
  }

  void compare_columns() {
    for (std::size_t column = 0; column < table_.columns.size(); ++column)
      if (!is_equal(column)) return add_difference(source_, "differs in " + table_.columns[column].name);
  }

  void add_difference(const row_cursor& row, const std::string& problem) {
    if (++result_.differing > max_listed_differences) return;
    std::string key;
    for (const auto column : table_.key)
      key.append(key.empty() ? "" : ", ").append(row[column].value_or("nothing"));
    result_.differences.push_back(std::string(table_.entry->name) + ": the row " + key + ' ' + problem);
  }

  const planned_table& table_;
  const comparison_settings& settings_;
  const bool is_same_dialect_;
  table_comparison result_; // before the cursors, whose callbacks use it
  row_cursor source_, target_;
};

/// Compares all tables, each store in one snapshot.
copy_result compare_all(session& source, session& target, const std::vector<planned_table>& plan,
                        const copy_settings& settings, bool ignores_copy_entries) {
  const auto totals = count_all(source, plan);
  snapshot source_rows(source, settings.retry_timeout), target_rows(target, settings.retry_timeout);
  copy_result result;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::string name(plan[i].entry->name);
    const comparison_settings options{settings.page_rows, ignores_copy_entries, [&](std::int64_t rows) {
                                        settings.progress(copy_step::comparing, name, rows, totals[i]);
                                      }};
    auto compared = table_comparer(source_rows, target_rows, plan[i], options).run();
    result.rows += compared.rows;
    if (compared.rows > 0) result.tables.push_back({name, compared.rows});
    result.differing += compared.differing;
    std::ranges::move(compared.differences, std::back_inserter(result.differences));
  }
  return result;
}

class store_copy {
public:
  explicit store_copy(const copy_settings& settings)
      : settings_(settings), source_(settings.source_url), target_(settings.target_url) {}

  copy_result run() {
    require_store(source_, source_name);
    require_distinct_stores(source_, target_);
    require_fit_target(source_, target_); // before anything is written, even the lease
    source_lease_.emplace(settings_.source_url, settings_.node, source_name);
    refuse_second_target();
    refuse_pending_import(source_);
    prepare_target(target_);
    plan_ = plan_copy(read_schema(source_), read_schema(target_));
    target_lease_.emplace(settings_.target_url, settings_.node, target_name);
    start();
    for (const auto& table : plan_)
      if (table.entry->use == table_use::copied) copy_table(table);
    auto result = compare_all(source_, target_, plan_, settings_, false);
    result.resumed = resumes_;
    if (read_change_counters(source_) != counters_) result.changed = source_name;
    check_leases();
    if (result.is_identical() &&
        !mark_as_moved(source_, source_lease_->held(), counters_, settings_.target_name))
      result.changed = source_name;
    if (result.is_identical())
      finish(result.rows);
    else
      mark_as_different();
    return result;
  }

private:
  /// Throws copy_refused if the source was moved, unless the target is the unfinished copy that it was moved
  /// with.
  void refuse_second_target() {
    const auto moved = read_move_marker(source_);
    if (!moved) return;
    const auto unfinished = read_marker_if_any(target_);
    if (unfinished && unfinished->epoch >= moved->epoch) return;
    throw copy_refused("the source was already moved to " + moved->target +
                       ": copy that store, or see `roost store reopen`");
  }

  /// Starts over if another process has held the source's lease or the source's stream has moved since.
  void start() {
    const auto epoch = source_lease_->held().epoch;
    const auto unfinished = find_unfinished_copy(source_, target_);
    counters_ = read_change_counters(source_);
    marker_ = {copy_marker::state::copying, counters_.newest, epoch};
    resumes_ = unfinished && unfinished->now == copy_marker::state::copying &&
               unfinished->source == marker_.source && unfinished->epoch + 1 == epoch;
    start_copy(target_, target_lease_->held(), marker_, plan_, resumes_);
    progress_ = read_progress(target_);
  }

  void copy_table(const planned_table& table) {
    auto progress = progress_[std::string(table.entry->name)];
    const auto total = progress.done ? progress.rows : count_rows(source_, table);
    const auto report_progress = [&] {
      settings_.progress(copy_step::copying, table.entry->name, progress.rows, total);
    };
    table_reader reader(source_, table, copy_side::source, progress.last_key);
    table_writer writer(target_, table, source_.internals().dialect());
    while (!progress.done) {
      const cell_list* rows = nullptr;
      retry_while_unavailable(settings_.retry_timeout, report_progress,
                              [&] { rows = &reader.next(settings_.page_rows); });
      const auto row_count = rows->size() / table.columns.size();
      progress.rows += static_cast<std::int64_t>(row_count);
      progress.last_key = reader.last_key();
      progress.done = row_count < settings_.page_rows;
      write_page(table, writer, *rows, progress);
      report_progress();
    }
  }

  void check_leases() const {
    target_lease_->check();
    source_lease_->check();
  }

  void write_page(const planned_table& table, table_writer& writer, const cell_list& rows,
                  const table_progress& progress) {
    check_leases();
    try {
      write_transaction txn(target_, target_lease_->held());
      if (!rows.empty()) writer.write(rows);
      write_progress(target_, table.entry->name, progress);
      txn.commit();
    } catch (const constraint_violated& rejection) {
      mark_as_different();
      throw target_rejected_row("the target rejected a row of " + std::string(table.entry->name) + ": " +
                                rejection.what());
    }
  }

  void finish(std::int64_t rows) {
    {
      write_transaction txn(target_, target_lease_->held());
      copy_sequences(source_, target_, plan_);
      start_history(target_, marker_.source.position);
      settings_.note(target_, rows);
      erase_marker(target_);
      txn.commit();
    }
    analyze_tables(target_, plan_);
  }

  void mark_as_different() {
    marker_.now = copy_marker::state::differs;
    write_transaction txn(target_, target_lease_->held());
    write_marker(target_, marker_);
    txn.commit();
  }

  const copy_settings& settings_;
  session source_, target_;
  std::vector<planned_table> plan_;
  /// The source's is taken first, so that nothing is created in the target if a server holds it.
  std::optional<copy_lease> source_lease_, target_lease_;
  change_counters counters_; ///< of the source when the copy started
  copy_marker marker_;
  progress_by_table progress_;
  bool resumes_ = false;
};

} // namespace

copy_result copy_store(const copy_settings& settings) { return store_copy(settings).run(); }

copy_result compare_stores(const copy_settings& settings) {
  session source(settings.source_url), target(settings.target_url);
  require_store(source, source_name);
  require_store(target, target_name);
  require_distinct_stores(source, target);
  const auto plan = plan_copy(read_schema(source), read_schema(target));
  const copy_lease source_lease(settings.source_url, settings.node, source_name),
      target_lease(settings.target_url, settings.node, target_name);
  const auto before = std::pair(read_change_counters(source), read_change_counters(target));
  auto result = compare_all(source, target, plan, settings, true);
  if (read_change_counters(source) != before.first) result.changed = source_name;
  if (read_change_counters(target) != before.second) result.changed = target_name;
  target_lease.check();
  source_lease.check();
  return result;
}

} // namespace roost::store
