#include "store/copy/copy_progress.hpp"

#include "store/database/connection.hpp"

#include <rapidjson/document.h>

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

constexpr query forget_progress{"forget_copy_progress", "delete from store_copy_tables"};
constexpr query forget_marker{"forget_copy_marker", "delete from store_copy"};

std::vector<std::string> key_in(const std::string& json) {
  rapidjson::Document parsed;
  parsed.Parse(json.data(), json.size());
  if (parsed.HasParseError() || !parsed.IsArray()) throw failure("the copy's progress cannot be read");
  std::vector<std::string> key;
  for (const auto& each : parsed.GetArray()) key.emplace_back(each.GetString(), each.GetStringLength());
  return key;
}

} // namespace

std::map<std::string, table_progress, std::less<>> read_progress(session& target) {
  std::map<std::string, table_progress, std::less<>> found;
  target.internals().read(all_progress, {},
                          [&](std::string name, std::int64_t rows, const std::string& key, bool done) {
                            found.emplace(std::move(name), table_progress{rows, key_in(key), done});
                          });
  return found;
}

void write_marker(session& target, const copy_marker& marker) {
  const bool differs = marker.now == copy_marker::state::differs;
  target.internals().write(upsert_marker,
                           {{"state", to_cell(std::string_view(differs ? "differs" : "copying"))},
                            {"position", to_cell(marker.source.position)},
                            {"source", to_cell(marker.source.id)},
                            {"epoch", to_cell(marker.epoch)}});
}

void write_progress(session& target, std::string_view table, const table_progress& progress) {
  const std::span<const std::string> key(progress.last_key);
  target.internals().write(upsert_progress, {{"name", to_cell(table)},
                                             {"rows", to_cell(progress.rows)},
                                             {"last_key", list_of(key, dialect::sqlite)},
                                             {"done", to_cell(progress.done)}});
}

void erase_progress(session& target) { target.internals().write(forget_progress); }

void erase_marker(session& target) {
  erase_progress(target);
  target.internals().write(forget_marker);
}

} // namespace roost::store
