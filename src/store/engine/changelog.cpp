#include "store/engine/changelog.hpp"

#include "domain/json.hpp"
#include "store/columns/json_value.hpp"
#include "store/database/connection.hpp"

namespace roost::store {

namespace {

constexpr query select_changelog{
    "select_changelog",
    "select id, account_id, unit_id, changed_at, changed_by, changes from changelog"
    " where unit_id = :unit order by edit desc limit :most",
    6};
constexpr query insert_changelog{
    "insert_changelog",
    "insert into changelog (id, edit, account_id, unit_id, changed_at, changed_by, changes)"
    " values (:id, :edit, :account, :unit, :changed_at, :changed_by, :changes)"};

std::string changes_json(const std::vector<domain::field_change>& changes) {
  domain::json_writer json;
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

} // namespace

std::vector<changelog_entry> changelog_of(session& db, const domain::uuid& unit_id, std::size_t limit) {
  std::vector<changelog_entry> entries;
  db.internals().read(select_changelog, {{"unit", to_cell(unit_id)}, {"most", to_cell(limit)}}, [&](row& r) {
    auto& entry = entries.emplace_back();
    entry.id = r.id();
    entry.account_id = r.id();
    entry.unit_id = r.id();
    entry.changed_at = r.moment();
    entry.changed_by = r.text();
    entry.changes = changes_of(r.text());
  });
  return entries;
}

void add_changelog_entry(session& db, const changelog_entry& entry, std::int64_t edit) {
  db.internals().write(insert_changelog, {{"id", to_cell(entry.id)},
                                          {"edit", to_cell(edit)},
                                          {"account", to_cell(entry.account_id)},
                                          {"unit", to_cell(entry.unit_id)},
                                          {"changed_at", to_cell(entry.changed_at)},
                                          {"changed_by", to_cell(entry.changed_by)},
                                          {"changes", changes_json(entry.changes)}});
}

} // namespace roost::store
