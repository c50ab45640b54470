#include "store/columns/json_columns.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/error.hpp"
#include "store/database/holder_lock.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/import_basis.hpp"
#include "store/portfolio/office_overlay.hpp"
#include "store/portfolio/portfolio_steps.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>

namespace roost::store {

namespace {

/// How long a piece may block other writers, and the pause for them afterwards. A connection that waits for
/// the lock polls it every 25 ms at first.
constexpr std::chrono::milliseconds piece{50}, pause{60};
constexpr std::size_t max_collected_bytes = 1 << 20;
/// Longer than several imports of any size take.
constexpr std::chrono::minutes max_turn_wait{10};

constexpr query put_step{"put_step",
                         "insert into import_steps (import, name, statement, columns, cells, last)"
                         " values (:import, :name, :statement, :columns, :cells, :last)"};
constexpr query drop_steps{"drop_steps", "delete from import_steps where import = :import"};
/// For imports whose processes ended before they became pending. Only for the import whose turn it is.
constexpr query drop_abandoned_steps{"drop_abandoned_steps",
                                     "delete from import_steps"
                                     " where import not in (select import from pending_import)"};
constexpr query drop_abandoned_counts{"drop_abandoned_counts",
                                      "delete from import_counts"
                                      " where import not in (select import from pending_import)"};
constexpr query drop_step{"drop_step", "delete from import_steps where seq = :seq"};
const selection count_steps{"count_steps", "select {columns} from import_steps where import = :import",
                            named<std::int64_t>("count(*)")};

struct import_step {
  std::int64_t seq = 0;
  std::string name, statement, columns, cells;
};
constexpr auto step_columns =
    columns(column("seq", &import_step::seq), column("name", &import_step::name),
            column("statement", &import_step::statement), column("columns", &import_step::columns),
            column("cells", &import_step::cells));
const selection next_step{"next_step",
                          "select {columns} from import_steps where import = :import and last = :last"
                          " order by seq limit 1",
                          step_columns};

constexpr query put_pending{"put_pending", "insert into pending_import"
                                           " (id, import, now, accounts, left_out_units, left_out_properties)"
                                           " values (1, :import, :now, :accounts, :units, :properties)"};
constexpr query drop_pending{"drop_pending", "delete from pending_import where import = :import"};

std::vector<domain::uuid> ids_in(const std::string& json) {
  std::vector<std::string> texts;
  read_json(json, texts);
  std::vector<domain::uuid> ids;
  ids.reserve(texts.size());
  for (const auto& text : texts) ids.push_back(domain::parse_uuid(text).value());
  return ids;
}

struct pending_import {
  domain::uuid id{};
  import_end end;
};

const selection read_pending{"read_pending",
                             "select {columns} from pending_import",
                             named<domain::uuid>("import"),
                             named<domain::timestamp>("now"),
                             named<std::string>("accounts"),
                             named<std::string>("left_out_units"),
                             named<std::string>("left_out_properties")};

std::optional<pending_import> find_pending(session& db) {
  std::optional<pending_import> pending;
  db.internals().read(read_pending, {},
                      [&](const domain::uuid& id, domain::timestamp now, const std::string& accounts,
                          const std::string& units, const std::string& properties) {
                        pending = {id, {now, ids_in(accounts), ids_in(units), ids_in(properties)}};
                      });
  return pending;
}

/// Encodes each cell as its length, a colon and its text, or as `-` if it is NULL.
std::string packed(const cell_list& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto value = cells[i];
    if (!value) {
      text += '-';
      continue;
    }
    write_cell(text, value->size());
    text += ':';
    text += *value;
  }
  return text;
}

cell_list unpacked(std::string_view text) {
  cell_list cells;
  while (!text.empty()) {
    if (text.front() == '-') {
      cells.add(cell_view{});
      text.remove_prefix(1);
      continue;
    }
    const auto colon = text.find(':');
    unsigned size = 0;
    if (colon == std::string_view::npos || !read_cell(text.substr(0, colon), size) ||
        text.size() - colon - 1 < size)
      throw failure("a stored step of an import is corrupt");
    cells.add(text.substr(colon + 1, size));
    text.remove_prefix(colon + 1 + size);
  }
  return cells;
}

/// Stores the rows of all bulk writers during its lifetime as steps of an import.
class step_collector {
public:
  step_collector(session& db, const domain::uuid& import) : db_(db), import_(import) {}

  /// Assigns the following rows to the last transaction.
  void begin_last() {
    put();
    last_ = true;
  }

  /// Returns the number of steps.
  std::int64_t finish() {
    put();
    return count_;
  }

private:
  void collect(const std::string& name, const std::string& statement, const std::vector<std::string>& names,
               const cell_list& cells) {
    waiting_.push_back({{}, name, statement, json_of(names), packed(cells)});
    bytes_ += waiting_.back().cells.size();
    if (bytes_ >= max_collected_bytes) put();
  }

  void put() {
    if (waiting_.empty()) return;
    {
      transaction txn(db_, transaction::purpose::write);
      for (const auto& step : waiting_)
        db_.internals().write(put_step, {{"import", import_},
                                         {"name", step.name},
                                         {"statement", step.statement},
                                         {"columns", step.columns},
                                         {"cells", step.cells},
                                         {"last", last_}});
      txn.commit();
    }
    count_ += static_cast<std::int64_t>(waiting_.size());
    waiting_.clear();
    bytes_ = 0;
    std::this_thread::sleep_for(pause);
  }

  session& db_;
  domain::uuid import_;
  std::vector<import_step> waiting_;
  std::size_t bytes_ = 0;
  std::int64_t count_ = 0;
  bool last_ = false;
  const diverted_rows diverted_{db_, [this](const auto&... row) { collect(row...); }};
};

/// Returns whether the steps are still right.
bool is_current(session& db, std::span<const domain::uuid> accounts, const domain::portfolio& file,
                const stream_point& basis) {
  const auto later = changes_since(db, accounts, basis);
  return !later.has_own && (!later.may_conflict || portfolio_conflicts(db, file).empty());
}

/// Makes the steps pending. Returns false if some are missing, or if they are no longer correct.
bool make_pending(session& db, const domain::portfolio& file, const pending_import& import,
                  const stream_point& basis, std::int64_t steps) {
  transaction txn(db, transaction::purpose::write);
  refuse_while_copied(db);
  const auto collected = db.internals().read_one(count_steps, {{"import", import.id}});
  if (is_import_pending(db) || collected != steps || !is_current(db, import.end.accounts, file, basis))
    return false;
  const auto list = [](const std::vector<domain::uuid>& ids) {
    return to_cell(list_of(ids, dialect::sqlite));
  };
  db.internals().write(put_pending, {{"import", import.id},
                                     {"now", import.end.now},
                                     {"accounts", list(import.end.accounts)},
                                     {"units", list(import.end.left_out_units)},
                                     {"properties", list(import.end.left_out_properties)}});
  txn.commit();
  return true;
}

/// How import_summary counts the rows of a step, by its name; import_notes counts the rows of the others.
struct counted_step {
  import_action action;
  portfolio_part part;
  bool has_time =
      true; ///< steps that only replace texts temporarily do not change updated_at, and do not count
};
const std::map<std::string, counted_step>& counted_steps() {
  using enum portfolio_part;
  using enum import_action;
  static const std::map<std::string, counted_step> steps{
      {"insert_new_ai_usage", {added, usage_record, false}},
      {"update_platform_cards", {changed, card}},
      {"update_accounts", {changed, account}},
      {"update_users", {changed, user}},
      {"update_properties", {changed, property}},
      {"update_units", {changed, unit}},
      {"update_blocks", {changed, block}},
      {"update_unit_calendars", {changed, calendar}}};
  return steps;
}

bool is_counted(const import_step& step) {
  const auto found = counted_steps().find(step.name);
  if (found == counted_steps().end()) return false;
  return !found->second.has_time || step.columns.find("\"updated_at\"") != std::string::npos;
}

constexpr query add_count{
    "add_import_count",
    "insert into import_counts (import, step, changed_rows) values (:import, :step, :rows)"
    " on conflict (import, step)"
    " do update set changed_rows = changed_rows + excluded.changed_rows"};
const selection counts_of_import{"counts_of_import",
                                 "select {columns} from import_counts where import = :import",
                                 named<std::string>("step"), named<std::int64_t>("changed_rows")};
constexpr query drop_counts{"drop_import_counts", "delete from import_counts where import = :import"};

/// Returns, and deletes, the numbers of changed rows of an import that has ended, whichever processes wrote
/// it.
change_counts take_counts(session& db, const domain::uuid& import) {
  change_counts counts;
  db.internals().read(counts_of_import, {{"import", import}},
                      [&](const std::string& step, std::int64_t rows) {
                        const auto& kind = counted_steps().at(step);
                        counts.add(kind.action, kind.part, static_cast<std::size_t>(rows));
                      });
  db.internals().write(drop_counts, {{"import", import}});
  return counts;
}

/// Writes the next step and counts its rows. Returns false if there is none.
bool write_step(session& db, const domain::uuid& import, bool last) {
  auto& connection = db.internals();
  const auto step = connection.read_one(next_step, {{"import", import}, {"last", last}});
  if (!step) return false;
  std::vector<std::string> names;
  read_json(step->columns, names);
  const auto rows = connection.write_rows(step->name, step->statement, names, unpacked(step->cells));
  connection.write(drop_step, {{"seq", step->seq}});
  if (is_counted(*step))
    connection.write(add_count, {{"import", import}, {"step", step->name}, {"rows", rows}});
  return true;
}

/// Writes steps in one short transaction. Returns their number, or 0 if none are left.
std::int64_t write_piece(session& db, const domain::uuid& import) {
  transaction txn(db, transaction::purpose::write);
  const auto until = std::chrono::steady_clock::now() + piece;
  std::int64_t written = 0;
  while (written == 0 || std::chrono::steady_clock::now() < until) {
    if (!write_step(db, import, false)) break;
    ++written;
  }
  txn.commit();
  return written;
}

/// Runs the last transaction, unless another process has.
void write_last(session& db, const pending_import& import, import_summary& summary) {
  transaction txn(db, transaction::purpose::write);
  const auto pending = find_pending(db);
  if (!pending || pending->id != import.id) return;
  remove_left_out(db, import.end);
  while (write_step(db, import.id, true)) {
  }
  renew_hosts(db, import.end.accounts);
  record_import(db, import.end, summary);
  db.internals().write(drop_pending, {{"import", import.id}});
  txn.commit();
}

/// `steps` is their total number; needed only with `progress`.
void write_pieces(session& db, const pending_import& import, import_summary& summary, std::int64_t steps,
                  const std::function<void(std::size_t done, std::size_t total)>& progress) {
  std::int64_t done = 0;
  while (const auto written = write_piece(db, import.id)) {
    done += written;
    if (progress)
      progress(summary.units * static_cast<std::size_t>(done) / static_cast<std::size_t>(steps),
               summary.units);
    std::this_thread::sleep_for(pause);
  }
  write_last(db, import, summary);
}

/// Collects the steps of an import and makes them pending. Returns their number; if they cannot become
/// pending, deletes them and returns nullopt.
std::optional<std::int64_t> prepare(import_run& run, const domain::portfolio& file,
                                    const office_overlay& overlay, pending_import& import,
                                    const stream_point& basis) {
  step_collector collector(run.db, import.id);
  import_rows(run, file.accounts);
  collector.begin_last();
  write_unique_texts(run);
  end_links(run);
  write_calendars(run);
  overlay.forget_marks(run.db);
  const auto steps = collector.finish();
  import.end = {run.context.now, ids_of(file.accounts), run.left_out_units, run.left_out_properties};
  if (import_result refused; !must_refuse(run, refused) && make_pending(run.db, file, import, basis, steps))
    return steps;
  run.db.internals().write(drop_steps, {{"import", import.id}});
  return std::nullopt;
}

/// Adapts the file to one snapshot of the store.
void read_overlay(session& db, domain::portfolio& file, const import_context& context,
                  std::optional<office_overlay>& overlay) {
  transaction txn(db, transaction::purpose::read);
  overlay.emplace(db, file, context);
  txn.commit();
}

/// Waits until no other import in pieces runs. The turn ends with its process, so the steps of an import
/// whose turn it is not are either pending or abandoned.
void wait_for_turn(session& db, file_lock& turn) {
  const auto give_up = std::chrono::steady_clock::now() + max_turn_wait;
  while (!turn.try_take(db.internals().file(), ".import")) {
    if (std::chrono::steady_clock::now() > give_up)
      throw unavailable("other large imports are still running; the import was not started");
    std::this_thread::sleep_for(pause);
  }
}

} // namespace

import_result import_in_pieces(session& db, domain::portfolio& file, const import_context& context) {
  file_lock turn;
  wait_for_turn(db, turn);
  for (int i = 0; i < max_import_attempts; ++i) {
    write_pending_import(db);
    db.internals().write(drop_abandoned_steps);
    db.internals().write(drop_abandoned_counts);
    const auto basis = newest_point(db);
    std::optional<office_overlay> overlay;
    read_overlay(db, file, context, overlay);
    import_result result;
    result.problems = overlay->problems();
    if (!result.problems.empty()) return result;
    auto without_progress = context;
    without_progress.progress = nullptr; // reported when the steps are written
    import_run run{db, without_progress};
    overlay->note_conflicts(run.notes, file.accounts);
    pending_import import{context.new_id(), {}};
    const auto steps = prepare(run, file, *overlay, import, basis);
    if (must_refuse(run, result) && !changes_since(db, import.end.accounts, basis).has_own) return result;
    if (!steps) continue;
    result.summary = run.summary;
    write_pieces(db, import, result.summary, *steps, context.progress);
    result.summary.counts = run.notes.counts;
    result.summary.counts += take_counts(db, import.id);
    if (result.summary.change == stream_point{})
      result.summary.change = newest_point(db); // a server wrote it
    return result;
  }
  throw changed_too_often();
}

void write_pending_import(session& db) {
  if (!is_import_pending(db)) return;
  import_summary unused;
  if (const auto pending = find_pending(db)) write_pieces(db, *pending, unused, 0, {});
}

} // namespace roost::store
