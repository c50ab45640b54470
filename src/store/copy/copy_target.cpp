#include "store/copy/copy_target.hpp"

#include "store/copy/copy_errors.hpp"
#include "store/copy/copy_progress.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/migrations.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace roost::store {

namespace {

constexpr const char* wanted_target = ": a copy needs an empty database, or one that it was begun in before";

bool has_rows(session& db, const table_entry& table) {
  const auto name = "copy_any_" + std::string(table.name);
  // The first rows of a new store count nothing yet.
  const auto text = "select 1 from " + std::string(table.name) +
                    (table.has_first_rows ? " where total <> 0" : "") + " limit 1";
  bool found = false;
  db.internals().read_rows({name.c_str(), text.c_str(), text.c_str(), 1}, {},
                           [&](const row&) { found = true; });
  return found;
}

/// The first table with rows that a copy would write, in a store of any schema; empty: there is none.
std::string_view filled_table(session& db) {
  const auto there = read_catalogue(db);
  for (const auto& table : table_entries())
    if (table.use != table_use::own && there.contains(table.name) && has_rows(db, table)) return table.name;
  return {};
}

using planned_tables = std::span<const planned_table>;

/// The end of the list that a copy with this progress has still before it. What the database counts goes with
/// the table before it.
planned_tables not_begun(const std::vector<planned_table>& plan,
                         const std::map<std::string, table_progress, std::less<>>& progress) {
  const auto first = std::ranges::find_if(plan, [&](const planned_table& table) {
    return table.entry->use == table_use::copied && !progress.contains(table.entry->name);
  });
  return {first, plan.end()};
}

/// SQLite has no word for emptying a table past its triggers, of which one refuses it: they are dropped and
/// made again.
void empty_tables_of_sqlite(session::connection& db, planned_tables tables) {
  static const selection triggers{"copy_triggers",
                                  "select {columns} from sqlite_master where type = 'trigger'",
                                  named<std::string>("name"), named<std::string>("sql")};
  std::string drop, make;
  db.read(triggers, {}, [&](const std::string& name, const std::string& sql) {
    drop += "drop trigger " + name + ';';
    make += sql + ';';
  });
  std::string empty;
  for (auto table = tables.rbegin(); table != tables.rend(); ++table)
    empty += "delete from " + std::string(table->entry->name) + ';';
  db.script("copy_empty", drop + empty + "delete from sqlite_sequence;" + make);
}

void empty_tables_of_postgresql(session::connection& db, planned_tables tables) {
  std::string names, disable, enable;
  for (const auto& table : tables) {
    const std::string name(table.entry->name);
    names.append(names.empty() ? "" : ", ").append(name);
    disable += "alter table " + name + " disable trigger user;";
    enable += "alter table " + name + " enable trigger user;";
  }
  db.script("copy_empty", disable + "truncate " + names + " restart identity;" + enable);
}

const selection counter_of_sqlite{"copy_counter", "select {columns} from sqlite_sequence where name = :table",
                                  named<std::int64_t>("coalesce(max(seq), 0)")};
const selection counter_of_postgresql{
    "copy_counter", "select {columns}",
    named<std::int64_t>("coalesce(pg_sequence_last_value(cast(pg_get_serial_sequence(:table, :counter) as "
                        "regclass)), 0)")};

std::int64_t counter_in(session& db, const table_entry& table) {
  return db.internals()
      .read_one(db.is_sqlite() ? counter_of_sqlite : counter_of_postgresql,
                {{"table", to_cell(table.name)}, {"counter", to_cell(table.counter)}})
      .value_or(0);
}

void set_counter(session& db, const table_entry& table, std::int64_t last) {
  static constexpr query forget{"copy_forget_counter", "delete from sqlite_sequence where name = :table"};
  static constexpr query note{
      "copy_note_counter", "insert into sqlite_sequence (name, seq) values (:table, cast(:last as integer))"};
  static const selection set{"copy_set_counter", "select {columns}",
                             named<std::int64_t>("setval(cast(pg_get_serial_sequence(:table, :counter) as "
                                                 "regclass), cast(:last as bigint))")};
  auto& connection = db.internals();
  const parameters with{
      {"table", to_cell(table.name)}, {"counter", to_cell(table.counter)}, {"last", to_cell(last)}};
  if (!db.is_sqlite()) {
    connection.read_all(set, with);
    return;
  }
  connection.write(forget, with);
  connection.write(note, with);
}

/// Position and id of an entry are for followers, and none follows this store yet.
constexpr query forget_changes{"copy_forget_changes", "delete from changes"};
constexpr query move_stream{"copy_move_stream",
                            "update change_stream set position = :behind, applied = :behind where id = 1"};

} // namespace

std::optional<copy_marker> begun_copy(session& source, session& target) {
  const auto marker = read_copy_marker(target);
  if (marker) {
    if (view_stream(source, marker->source).has_known_point) return marker;
    throw copy_refused(
        "the target holds an unfinished copy of another store, or of an earlier state of this one");
  }
  const auto filled = filled_table(target);
  if (filled.empty()) return std::nullopt;
  throw copy_refused("the target already holds rows (" + std::string(filled) + ')' + wanted_target);
}

void refuse_unfit_target(session& source, session& target) {
  try {
    target.connect_to_existing();
  } catch (const no_store&) {
    return; // its file is to be made
  }
  if (!has_schema(target)) {
    if (!read_catalogue(target).empty())
      throw copy_refused(std::string("the target holds tables that are not Roost's") + wanted_target);
  } else if (schema_is_current(target)) {
    begun_copy(source, target);
  } else if (!filled_table(target).empty()) {
    throw copy_refused(
        "the target's schema is older than this program, and it holds rows: run `roost migrate` on it, or "
        "name an empty database");
  }
}

void prepare_target(session& target) {
  target.connect();
  migrate(target); // or goes on with what an interrupted one has left
}

void begin_copy(session& target, const lease& held, const copy_marker& marker,
                const std::vector<planned_table>& plan, bool goes_on) {
  write_transaction txn(target, held);
  if (!goes_on) erase_progress(target);
  if (const auto tables = not_begun(plan, read_progress(target)); !tables.empty()) {
    auto& connection = target.internals();
    target.is_sqlite() ? empty_tables_of_sqlite(connection, tables)
                       : empty_tables_of_postgresql(connection, tables);
  }
  write_marker(target, marker);
  txn.commit();
}

void take_over_counters(session& source, session& target, const std::vector<planned_table>& plan) {
  for (const auto& table : plan)
    if (!table.entry->counter.empty())
      if (const auto last = counter_in(source, *table.entry); last > 0)
        set_counter(target, *table.entry, last);
}

void begin_history(session& target, std::int64_t behind) {
  auto& connection = target.internals();
  connection.write(forget_changes);
  connection.write(move_stream, {{"behind", to_cell(behind)}});
  append(target, {});
}

void gather_statistics(session& target, const std::vector<planned_table>& plan) {
  for (const auto& table : plan) {
    try {
      target.internals().script("copy_analyze", "analyze " + std::string(table.entry->name));
    } catch (const error&) {
      return;
    }
  }
}

} // namespace roost::store
