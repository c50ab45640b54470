#include "store/copy/copy_plan.hpp"

#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::store {

namespace {

/// SQLite has no exact decimals: what it sums up is four whole numbers, which are read as one text.
constexpr std::string_view summed_table = "ai_usage_days", summed_column = "cost";

/// Columns of the stores as they are compared.
std::vector<catalogue_column> compared_columns(const described_store& of, const table_entry& table) {
  auto columns = of.tables.find(table.name)->second;
  if (table.name != summed_table || of.in != dialect::sqlite) return columns;
  std::erase_if(columns, [](const auto& column) { return column.name.starts_with("cost_"); });
  columns.push_back({std::string(summed_column), "numeric"});
  return columns;
}

const catalogue_column* find(const std::vector<catalogue_column>& in, const std::string& name) {
  const auto found = std::ranges::find(in, name, &catalogue_column::name);
  return found == in.end() ? nullptr : &*found;
}

planned_column plan_column(const described_store& source, const catalogue_column& from,
                           const catalogue_column& to, const table_entry& table) {
  // PostgreSQL's types say more than SQLite's.
  const auto& type = source.in == dialect::postgresql ? from.type : to.type;
  const auto form = value_form_of(type);
  if (!form)
    throw failure("no form is known of the type " + type + " of " + std::string(table.name) + '.' +
                  from.name);
  return {from.name, *form, from.type, to.type};
}

planned_table plan_table(const described_store& source, const described_store& target,
                         const table_entry& table) {
  const auto from = compared_columns(source, table), to = compared_columns(target, table);
  for (const auto& column : to)
    if (!find(from, column.name))
      throw failure(std::string(table.name) + '.' + column.name + " is in the target only");
  planned_table plan{&table, {}, {}};
  for (const auto& column : from) {
    const auto* other = find(to, column.name);
    if (!other) throw failure(std::string(table.name) + '.' + column.name + " is in the source only");
    plan.columns.push_back(plan_column(source, column, *other, table));
  }
  for (const auto name : table.key) {
    const auto found = std::ranges::find(plan.columns, name, &planned_column::name);
    if (found == plan.columns.end())
      throw failure(std::string(table.name) + " has no column " + std::string(name));
    plan.key.push_back(static_cast<std::size_t>(found - plan.columns.begin()));
  }
  return plan;
}

/// Tables that only SQLite has.
bool is_of_sqlite(std::string_view table) { return table == "import_steps" || table == "pending_import"; }

void require_listed(const described_store& of) {
  std::string problems;
  for (const auto& line : unlisted(of.tables))
    if (of.in == dialect::sqlite || !is_of_sqlite(line.substr(0, line.find(' '))))
      problems.append(problems.empty() ? "" : "; ").append(line);
  if (!problems.empty()) throw failure("the list of tables to copy is not the schema's: " + problems);
}

} // namespace

described_store describe(session& db) { return {read_catalogue(db), db.internals().dialect()}; }

std::vector<std::string> unlisted(const catalogue& tables) {
  std::vector<std::string> lines;
  const auto entries = table_entries();
  for (const auto& [name, columns] : tables)
    if (std::ranges::find(entries, name, &table_entry::name) == entries.end())
      lines.push_back(name + " is not in the list");
  for (const auto& entry : entries)
    if (!tables.contains(entry.name)) lines.push_back(std::string(entry.name) + " is not in the store");
  return lines;
}

std::vector<planned_table> plan_copy(const described_store& source, const described_store& target) {
  require_listed(source);
  require_listed(target);
  std::vector<planned_table> plan;
  for (const auto& entry : table_entries())
    if (entry.use != table_use::own) plan.push_back(plan_table(source, target, entry));
  return plan;
}

} // namespace roost::store
