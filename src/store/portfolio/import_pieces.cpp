#include "store/columns/json_columns.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/error.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/portfolio_steps.hpp"

#include <chrono>
#include <map>
#include <thread>

namespace roost::store {

namespace {

/// How long a piece may block other writers, and the pause for them afterwards. A connection that waits for
/// the lock polls it every 25 ms at first.
constexpr std::chrono::milliseconds piece{50}, pause{60};
constexpr std::size_t max_collected_bytes = 1 << 20;

constexpr query put_step{"put_step",
                         "insert into import_steps (import, name, statement, columns, cells, last)"
                         " values (:import, :name, :statement, :columns, :cells, :last)"};
constexpr query drop_steps{"drop_steps", "delete from import_steps where import = :import"};
/// Deletes the steps of imports whose processes ended before they became pending. A process that is still
/// running detects the loss.
constexpr query drop_abandoned_steps{"drop_abandoned_steps",
                                     "delete from import_steps"
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

/// Makes the steps pending. Returns false if some are missing, or if the portfolio has changed since `basis`,
/// the change that they are based on.
bool make_pending(session& db, const pending_import& import, std::int64_t basis, std::int64_t steps) {
  transaction txn(db, transaction::purpose::write);
  const auto collected = db.internals().read_one(count_steps, {{"import", import.id}});
  if (is_import_pending(db) || newest_portfolio_change(db) != basis || collected != steps) return false;
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

/// Returns how import_summary counts the rows of a step, or nullopt if import_notes counts them. Steps that
/// only replace texts temporarily do not change updated_at, and are not counted.
std::optional<std::pair<import_action, portfolio_part>> counted_as(const import_step& step) {
  using enum portfolio_part;
  static const std::map<std::string, portfolio_part> updates{{"update_accounts", account},
                                                             {"update_users", user},
                                                             {"update_properties", property},
                                                             {"update_units", unit},
                                                             {"update_blocks", block}};
  if (step.name == "insert_new_ai_usage") return std::pair{import_action::added, usage_record};
  if (step.name == "update_platform_cards") return std::pair{import_action::changed, card};
  const auto found = updates.find(step.name);
  if (found == updates.end() || step.columns.find("\"updated_at\"") == std::string::npos) return std::nullopt;
  return std::pair{import_action::changed, found->second};
}

/// Writes the next step and counts its rows. Returns false if there is none.
bool write_step(session& db, const domain::uuid& import, bool last, change_counts& counts) {
  auto& connection = db.internals();
  const auto step = connection.read_one(next_step, {{"import", import}, {"last", last}});
  if (!step) return false;
  std::vector<std::string> names;
  read_json(step->columns, names);
  const auto rows = connection.write_rows(step->name, step->statement, names, unpacked(step->cells));
  connection.write(drop_step, {{"seq", step->seq}});
  if (const auto kind = counted_as(*step))
    counts.add(kind->first, kind->second, static_cast<std::size_t>(rows));
  return true;
}

/// Writes steps in one short transaction. Returns their number, or 0 if none are left.
std::int64_t write_piece(session& db, const domain::uuid& import, import_summary& summary) {
  transaction txn(db, transaction::purpose::write);
  const auto until = std::chrono::steady_clock::now() + piece;
  std::int64_t written = 0;
  while (written == 0 || std::chrono::steady_clock::now() < until) {
    if (!write_step(db, import, false, summary.counts)) break;
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
  while (write_step(db, import.id, true, summary.counts)) {
  }
  record_import(db, import.end, summary);
  db.internals().write(drop_pending, {{"import", import.id}});
  txn.commit();
}

/// `steps` is their total number; needed only with `progress`.
void write_pieces(session& db, const pending_import& import, import_summary& summary, std::int64_t steps,
                  const std::function<void(std::size_t done, std::size_t total)>& progress) {
  std::int64_t done = 0;
  while (const auto written = write_piece(db, import.id, summary)) {
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
std::optional<std::int64_t> prepare(import_run& run, const domain::portfolio& file, pending_import& import,
                                    std::int64_t basis) {
  step_collector collector(run.db, import.id);
  import_rows(run, file.accounts);
  collector.begin_last();
  write_unique_texts(run);
  const auto steps = collector.finish();
  import.end = {run.context.now, ids_of(file.accounts), run.left_out_units, run.left_out_properties};
  if (!must_refuse(run) && make_pending(run.db, import, basis, steps)) return steps;
  run.db.internals().write(drop_steps, {{"import", import.id}});
  return std::nullopt;
}

} // namespace

import_result import_in_pieces(session& db, const domain::portfolio& file, const import_context& context) {
  constexpr int attempts = 3;
  for (int i = 0; i < attempts; ++i) {
    write_pending_import(db);
    db.internals().write(drop_abandoned_steps);
    const auto basis = newest_portfolio_change(db);
    import_result result;
    result.problems = portfolio_conflicts(db, file);
    if (!result.problems.empty()) return result;
    auto without_progress = context;
    without_progress.progress = nullptr; // reported when the steps are written
    import_run run{db, without_progress};
    pending_import import{context.new_id(), {}};
    const auto steps = prepare(run, file, import, basis);
    if (must_refuse(run)) {
      result.refused = run.notes.counts;
      return result;
    }
    if (!steps) continue;
    result.summary = run.summary;
    result.summary.counts = run.notes.counts; // the rest is counted when the steps are written
    write_pieces(db, import, result.summary, *steps, context.progress);
    if (result.summary.change == stream_point{})
      result.summary.change = newest_point(db); // a server wrote it
    return result;
  }
  throw unavailable("the portfolio is being changed all the time; the import was not started");
}

void write_pending_import(session& db) {
  if (!is_import_pending(db)) return;
  import_summary unused;
  if (const auto pending = find_pending(db)) write_pieces(db, *pending, unused, 0, {});
}

} // namespace roost::store
