#include "store/engine/changelog.hpp"

#include "json/writer.hpp"
#include "store/columns/json_value.hpp"
#include "store/database/bulk.hpp"

namespace roost::store {

namespace {

std::string changes_json(const std::vector<domain::field_change>& changes) {
  json::writer json;
  json.begin_array();
  for (const auto& each : changes) {
    json.begin_object();
    json.field("field", each.field);
    json.key("before");
    json.raw(each.before);
    json.key("after");
    json.raw(each.after);
    json.end_object();
  }
  json.end_array();
  return std::string(json.text());
}

/// A number as it is written, `true`, `false` or `null`.
std::string scalar_of(const rapidjson::Value& value) {
  if (value.IsNull()) return "null";
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  return text_of(value); // numbers are parsed as strings
}

std::vector<domain::field_change> changes_of(const std::string& json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseNumbersAsStringsFlag>(json.data(), json.size());
  expect(!document.HasParseError() && document.IsArray());
  std::vector<domain::field_change> changes;
  for (const auto& each : document.GetArray())
    changes.push_back({text_of(member(each, "field")), scalar_of(member(each, "before")),
                       scalar_of(member(each, "after"))});
  return changes;
}

struct changes_format {
  static constexpr auto type = "jsonb";
  static bool write(std::string& to, const std::vector<domain::field_change>& changes) {
    return write_cell(to, changes_json(changes));
  }
  static bool read(const std::string* text, std::vector<domain::field_change>& into) {
    if (text) into = changes_of(*text);
    return text;
  }
};

constexpr auto entry_columns =
    columns(column("id", &changelog_entry::id).key(), column("account_id", &changelog_entry::account_id),
            column("unit_id", &changelog_entry::unit_id), column("changed_at", &changelog_entry::changed_at),
            column("changed_by", &changelog_entry::changed_by),
            column<changes_format>("changes", &changelog_entry::changes));

struct entry_row {
  const changelog_entry* entry;
  std::int64_t edit;
};
constexpr auto row_columns =
    columns(nested(&entry_row::entry, entry_columns), column("edit", &entry_row::edit));
const auto changelog_table = table_of<row_columns>("changelog");

const selection select_changelog{
    "select_changelog",
    "select {columns} from changelog where unit_id = :unit order by edit desc limit :most", entry_columns};

} // namespace

std::vector<changelog_entry> changelog_of(session& db, const domain::uuid& unit_id, std::size_t limit) {
  return db.internals().read_all(select_changelog, {{"unit", to_cell(unit_id)}, {"most", to_cell(limit)}});
}

void add_changelog_entry(session& db, const changelog_entry& entry, std::int64_t edit) {
  insert_row(db, changelog_table, {&entry, edit});
}

} // namespace roost::store
