#include "store/copy/copy_target.hpp"

#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"
#include "store/database/transaction.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <span>

namespace roost::store {

namespace {

const selection all_progress{"read_copy_progress",           "select {columns} from store_copy_tables",
                             named<std::string>("name"),     named<std::int64_t>("rows_copied"),
                             named<std::string>("last_key"), named<bool>("done")};

constexpr query upsert_marker{
    "write_copy_marker",
    "insert into store_copy (id, state, source_position, source_id, source_epoch, begun_at)"
    " values (1, :state, :position, :source, :epoch, {now}) on conflict (id) do update set"
    " state = excluded.state, source_position = excluded.source_position, source_id = excluded.source_id,"
    " source_epoch = excluded.source_epoch"};

constexpr query upsert_progress{
    "write_copy_progress",
    "insert into store_copy_tables (name, rows_copied, last_key, done)"
    " values (:name, :rows, :last_key, :done) on conflict (name) do update set"
    " rows_copied = excluded.rows_copied, last_key = excluded.last_key, done = excluded.done"};

constexpr query delete_progress{"delete_copy_progress", "delete from store_copy_tables"};
constexpr query delete_marker{"delete_copy_marker", "delete from store_copy"};

std::vector<std::string> parse_key(const std::string& json) {
  rapidjson::Document parsed;
  parsed.Parse(json.data(), json.size());
  if (parsed.HasParseError() || !parsed.IsArray()) throw failure("the copy's progress cannot be read");
  std::vector<std::string> key;
  for (const auto& each : parsed.GetArray()) key.emplace_back(each.GetString(), each.GetStringLength());
  return key;
}

constexpr const char* target_requirement =
    ": a copy needs an empty database, or one with an unfinished copy of the same source";

bool has_rows(session& db, const table_entry& table) {
  const std::string name(table.name);
  const std::string condition(table.other_than_initial);
  const selection any_row{"copy_any_" + name,
                          "select {columns} from " + name + (condition.empty() ? "" : " where " + condition) +
                              " limit 1",
                          named<int>("1")};
  return db.internals().read_one(any_row).has_value();
}

/// Returns the first table of the copy that already has rows, for any version of the schema; empty if there
/// is none.
std::string_view filled_table(session& db) {
  const auto existing = read_catalog(db);
  for (const auto& table : table_entries())
    if (table.use != table_use::own && existing.contains(table.name) && has_rows(db, table))
      return table.name;
  return {};
}

using planned_tables = std::span<const planned_table>;

/// Returns the tables at the end of the plan that the copy has not started. Computed tables belong to the
/// table before them.
planned_tables unstarted_tables(const std::vector<planned_table>& plan, const progress_by_table& progress) {
  const auto first = std::ranges::find_if(plan, [&](const planned_table& table) {
    return table.entry->use == table_use::copied && !progress.contains(table.entry->name);
  });
  return {first, plan.end()};
}

/// Drops and recreates the triggers, because one of them refuses deletions and SQLite cannot disable
/// triggers.
void empty_tables_of_sqlite(session::connection& db, planned_tables tables) {
  static const selection triggers{"copy_triggers",
                                  "select {columns} from sqlite_master where type = 'trigger'",
                                  named<std::string>("name"), named<std::string>("sql")};
  std::string drop, create;
  db.read(triggers, {}, [&](const std::string& name, const std::string& sql) {
    drop += "drop trigger " + name + ';';
    create += sql + ';';
  });
  std::string empty;
  for (auto table = tables.rbegin(); table != tables.rend(); ++table)
    empty += "delete from " + std::string(table->entry->name) + ';';
  db.script("copy_empty", drop + empty + "delete from sqlite_sequence;" + create);
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

const selection sqlite_sequence_value{"sqlite_sequence_value",
                                      "select {columns} from sqlite_sequence where name = :table",
                                      named<std::int64_t>("coalesce(max(seq), 0)")};
const selection postgresql_sequence_value{
    "postgresql_sequence_value", "select {columns}",
    named<std::int64_t>("coalesce(pg_sequence_last_value(cast(pg_get_serial_sequence(:table, :column) as "
                        "regclass)), 0)")};

std::int64_t sequence_value(session& db, const table_entry& table) {
  return db.internals()
      .read_one(db.is_sqlite() ? sqlite_sequence_value : postgresql_sequence_value,
                {{"table", table.name}, {"column", table.sequence}})
      .value_or(0);
}

void set_sequence(session& db, const table_entry& table, std::int64_t last) {
  static constexpr query delete_value{"copy_erase_sequence",
                                      "delete from sqlite_sequence where name = :table"};
  static constexpr query insert_value{
      "copy_insert_sequence",
      "insert into sqlite_sequence (name, seq) values (:table, cast(:last as integer))"};
  static const selection set{"copy_set_sequence", "select {columns}",
                             named<std::int64_t>("setval(cast(pg_get_serial_sequence(:table, :column) as "
                                                 "regclass), cast(:last as bigint))")};
  auto& connection = db.internals();
  const parameters values{{"table", table.name}, {"column", table.sequence}, {"last", last}};
  if (!db.is_sqlite()) {
    connection.read_all(set, values);
    return;
  }
  connection.write(delete_value, values);
  connection.write(insert_value, values);
}

/// Entries are for followers, and this store has none yet.
constexpr query delete_changes{"copy_delete_changes", "delete from changes"};
constexpr query move_stream{
    "copy_move_stream", "update change_stream set position = :position, applied = :position where id = 1"};

void erase_progress(session& target) { target.internals().write(delete_progress); }

} // namespace

progress_by_table read_progress(session& target) {
  progress_by_table result;
  target.internals().read(all_progress, {},
                          [&](std::string name, std::int64_t rows, const std::string& key, bool done) {
                            result.emplace(std::move(name), table_progress{rows, parse_key(key), done});
                          });
  return result;
}

void write_marker(session& target, const copy_marker& marker) {
  const bool differs = marker.now == copy_marker::state::differs;
  target.internals().write(upsert_marker, {{"state", std::string_view(differs ? "differs" : "copying")},
                                           {"position", marker.source.position},
                                           {"source", marker.source.id},
                                           {"epoch", marker.epoch}});
}

void write_progress(session& target, std::string_view table, const table_progress& progress) {
  const std::span<const std::string> key(progress.last_key);
  target.internals().write(upsert_progress, {{"name", table},
                                             {"rows", progress.rows},
                                             {"last_key", list_of(key, dialect::sqlite)},
                                             {"done", progress.done}});
}

void erase_marker(session& target) {
  erase_progress(target);
  target.internals().write(delete_marker);
}

std::optional<copy_marker> find_unfinished_copy(session& source, session& target) {
  const auto marker = read_copy_marker(target);
  if (marker) {
    if (view_stream(source, marker->source).has_known_point) return marker;
    throw copy_refused(
        "the target holds an unfinished copy of another store, or of an earlier state of this one");
  }
  const auto filled = filled_table(target);
  if (filled.empty()) return std::nullopt;
  throw copy_refused("the target already holds rows (" + std::string(filled) + ')' + target_requirement);
}

void require_fit_target(session& source, session& target) {
  try {
    target.connect_to_existing();
  } catch (const no_store&) {
    return; // migrate() creates the file
  }
  if (!has_schema(target)) {
    if (!read_catalog(target).empty())
      throw copy_refused(std::string("the target holds tables that are not Roost's") + target_requirement);
  } else if (schema_is_current(target)) {
    find_unfinished_copy(source, target);
  } else if (!filled_table(target).empty()) {
    throw copy_refused(
        "the target's schema is older than this program, and it holds rows: run `roost migrate` on it, or "
        "name an empty database");
  }
}

void prepare_target(session& target) {
  target.connect();
  migrate(target); // also completes an interrupted migration
}

void start_copy(session& target, const lease& held, const copy_marker& marker,
                const std::vector<planned_table>& plan, bool resumes) {
  write_transaction txn(target, held);
  if (!resumes) erase_progress(target);
  if (const auto tables = unstarted_tables(plan, read_progress(target)); !tables.empty()) {
    auto& connection = target.internals();
    target.is_sqlite() ? empty_tables_of_sqlite(connection, tables)
                       : empty_tables_of_postgresql(connection, tables);
  }
  write_marker(target, marker);
  txn.commit();
}

void copy_sequences(session& source, session& target, const std::vector<planned_table>& plan) {
  for (const auto& table : plan)
    if (!table.entry->sequence.empty())
      if (const auto last = sequence_value(source, *table.entry); last > 0)
        set_sequence(target, *table.entry, last);
}

void start_history(session& target, std::int64_t position) {
  auto& connection = target.internals();
  connection.write(delete_changes);
  connection.write(move_stream, {{"position", position}});
  append(target, {});
}

void analyze_tables(session& target, const std::vector<planned_table>& plan) {
  for (const auto& table : plan) {
    try {
      target.internals().script("copy_analyze", "analyze " + std::string(table.entry->name));
    } catch (const error&) {
      return;
    }
  }
}

} // namespace roost::store
