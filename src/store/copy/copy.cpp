#include "store/copy/copy.hpp"

#include "store/copy/command_traces.hpp"
#include "store/copy/copy_progress.hpp"
#include "store/copy/copy_target.hpp"
#include "store/copy/kept_lease.hpp"
#include "store/copy/patience.hpp"
#include "store/copy/snapshot.hpp"
#include "store/copy/table_reader.hpp"
#include "store/copy/table_writer.hpp"
#include "store/database/connection.hpp"
#include "store/database/migrations.hpp"
#include "store/database/transaction.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <utility>

namespace roost::store {

namespace {

constexpr const char* name_of_source = "the source";
constexpr const char* name_of_target = "the target";

/// A finished store of this program's schema. Throws copy_refused.
void require_store(session& db, const std::string& what) {
  db.connect_to_existing();
  if (!has_schema(db)) throw copy_refused(what + " is no store yet");
  if (!schema_is_current(db))
    throw copy_refused(what + "'s schema is older than this program: run `roost migrate` on it first");
  if (read_copy_marker(db)) throw copy_refused(what + " is itself an unfinished copy");
}

void refuse_one_store(session& source, session& target) {
  const auto& from = source.internals().file();
  const auto& to = target.internals().file();
  std::error_code unknown;
  if (source.is_sqlite() && target.is_sqlite() && std::filesystem::equivalent(from, to, unknown))
    throw copy_refused("the target is the source itself");
}

/// Imports that SQLite takes in pieces are a commit before their rows are there.
void refuse_pending_import(session& source) {
  static const selection pending{"copy_pending_import", "select {columns} from pending_import",
                                 named<bool>("count(*) > 0")};
  if (source.is_sqlite() && source.internals().read_one(pending).value_or(false))
    throw copy_refused("an import into the source is not finished: start its server once, or import again");
}

std::int64_t count_rows(session& db, const planned_table& table) {
  const auto name = "copy_count_" + std::string(table.entry->name);
  const auto text = "select count(*) from " + std::string(table.entry->name);
  std::int64_t count = 0;
  try {
    db.internals().read_rows({name.c_str(), text.c_str(), text.c_str(), 1}, {},
                             [&](const row& each) { read_cell(*each[0], count); });
  } catch (const unavailable&) { // it would take too long, and only a progress bar needs it
  }
  return count;
}

/// Of each table; not within a transaction, which would be lost with a count that takes too long.
std::vector<std::int64_t> count_all(session& db, const std::vector<planned_table>& plan) {
  std::vector<std::int64_t> counts;
  counts.reserve(plan.size());
  for (const auto& table : plan) counts.push_back(count_rows(db, table));
  return counts;
}

/// The leases of both stores. The source's is taken first: where a server has it, nothing is to be made in
/// the target.
struct both_leases {
  explicit both_leases(const copy_settings& settings)
      : source(settings.source_url, settings.node, name_of_source) {}

  void take_target(const copy_settings& settings) {
    target.emplace(settings.target_url, settings.node, name_of_target);
  }

  void check() const {
    target->check();
    source.check();
  }

  kept_lease source;
  std::optional<kept_lease> target;
};

/// Compares everything, each side as one moment shows it.
copy_result compare_all(session& source, session& target, const std::vector<planned_table>& plan,
                        const copy_settings& settings, bool without_copies) {
  const auto totals = count_all(source, plan);
  snapshot of_source(source, settings.patience), of_target(target, settings.patience);
  copy_result result;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::string name(plan[i].entry->name);
    comparison_settings with{settings.page_rows, without_copies, {}};
    with.progress = [&](std::int64_t rows) {
      settings.progress(copy_step::comparing, name, rows, totals[i]);
    };
    auto found = compare_table(of_source, of_target, plan[i], with);
    result.rows += found.rows;
    if (found.rows > 0) result.tables.push_back({name, found.rows});
    result.differing += found.differing;
    for (auto& each : found.differences) result.differences.push_back(std::move(each));
  }
  return result;
}

class store_copy {
public:
  explicit store_copy(const copy_settings& settings)
      : settings_(settings), source_(settings.source_url), target_(settings.target_url) {}

  copy_result run() {
    require_store(source_, name_of_source);
    refuse_one_store(source_, target_);
    refuse_unfit_target(source_, target_); // before anything is written, the lease included
    leases_.emplace(settings_);
    refuse_pending_import(source_);
    prepare_target(target_);
    plan_ = plan_copy(describe(source_), describe(target_));
    leases_->take_target(settings_);
    begin();
    for (const auto& table : plan_)
      if (table.entry->use == table_use::copied) copy(table);
    auto result = compare_all(source_, target_, plan_, settings_, false);
    result.resumed = goes_on_;
    if (traces_of(source_) != traces_) result.changed = name_of_source;
    leases_->check();
    if (result.is_identical())
      finish(result.rows);
    else
      keep_from_use();
    return result;
  }

private:
  /// A source whose lease somebody else has held since, or whose stream has moved, is not what was copied.
  void begin() {
    const auto epoch = leases_->source.held().epoch;
    const auto begun = begun_copy(source_, target_);
    traces_ = traces_of(source_);
    marker_ = {copy_marker::state::copying, traces_.newest, epoch};
    goes_on_ = begun && begun->now == copy_marker::state::copying && begun->source == marker_.source &&
               begun->epoch + 1 == epoch;
    begin_copy(target_, leases_->target->held(), marker_, plan_, goes_on_);
    done_ = read_progress(target_);
  }

  void copy(const planned_table& table) {
    auto progress = done_[std::string(table.entry->name)];
    const auto total = progress.done ? progress.rows : count_rows(source_, table);
    const auto tell = [&] {
      settings_.progress(copy_step::copying, table.entry->name, progress.rows, total);
    };
    table_reader reader(source_, table, copy_side::source, progress.last_key);
    table_writer writer(target_, table, source_.internals().dialect());
    while (!progress.done) {
      const cell_list* rows = nullptr;
      read_patiently(settings_.patience, tell, [&] { rows = &reader.next(settings_.page_rows); });
      const auto read = rows->size() / table.columns.size();
      progress.rows += static_cast<std::int64_t>(read);
      progress.last_key = reader.last_key();
      progress.done = read < settings_.page_rows;
      write_page(table, writer, *rows, progress);
      tell();
    }
  }

  void write_page(const planned_table& table, table_writer& writer, const cell_list& rows,
                  const table_progress& progress) {
    leases_->check();
    try {
      write_transaction txn(target_, leases_->target->held());
      if (!rows.empty()) writer.write(rows);
      write_progress(target_, table.entry->name, progress);
      txn.commit();
    } catch (const constraint_violated& refused) {
      keep_from_use();
      throw target_rejected_row("the target rejected a row of " + std::string(table.entry->name) + ": " +
                                refused.what());
    }
  }

  void finish(std::int64_t rows) {
    {
      write_transaction txn(target_, leases_->target->held());
      take_over_counters(source_, target_, plan_);
      begin_history(target_, marker_.source.position);
      settings_.note(target_, rows);
      erase_marker(target_);
      txn.commit();
    }
    gather_statistics(target_, plan_);
  }

  void keep_from_use() {
    marker_.now = copy_marker::state::differs;
    write_transaction txn(target_, leases_->target->held());
    write_marker(target_, marker_);
    txn.commit();
  }

  const copy_settings& settings_;
  session source_, target_;
  std::vector<planned_table> plan_;
  std::optional<both_leases> leases_;
  command_traces traces_; ///< in the source when the copy began
  copy_marker marker_;
  std::map<std::string, table_progress, std::less<>> done_;
  bool goes_on_ = false;
};

} // namespace

copy_result copy_store(const copy_settings& settings) { return store_copy(settings).run(); }

copy_result compare_stores(const copy_settings& settings) {
  session source(settings.source_url), target(settings.target_url);
  require_store(source, name_of_source);
  require_store(target, name_of_target);
  refuse_one_store(source, target);
  const auto plan = plan_copy(describe(source), describe(target));
  both_leases leases(settings);
  leases.take_target(settings);
  const auto before = std::pair(traces_of(source), traces_of(target));
  auto result = compare_all(source, target, plan, settings, true);
  if (traces_of(source) != before.first) result.changed = name_of_source;
  if (traces_of(target) != before.second) result.changed = name_of_target;
  leases.check();
  return result;
}

} // namespace roost::store
