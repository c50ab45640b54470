#include "store/copy/copy_plan.hpp"

#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::store {

namespace {

const selection postgresql_columns{
    "postgresql_catalog",
    "select {columns} from pg_attribute a join pg_class c on c.oid = a.attrelid"
    " join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = a.atttypid"
    " where n.nspname = current_schema() and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped"
    " and a.attgenerated = '' order by c.relname, a.attnum",
    named<std::string>("cast(c.relname as text)"), named<std::string>("cast(a.attname as text)"),
    named<std::string>("format_type(case when t.typtype = 'd' then t.typbasetype else t.oid end, null)")};

/// table_info() omits generated columns.
const selection sqlite_columns{
    "sqlite_catalog",
    "select {columns} from sqlite_master m join pragma_table_info(m.name) p"
    " where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\' order by m.name, p.cid",
    named<std::string>("m.name"), named<std::string>("p.name"), named<std::string>("lower(p.type)")};

/// SQLite has no exact decimals: it stores this sum as four integers, which are read as one text.
constexpr std::string_view summed_table = "ai_usage_days", summed_column = "cost";

/// Returns a table's columns as they are compared.
std::vector<catalog_column> compared_columns(const store_schema& schema, const table_entry& table) {
  auto columns = schema.tables.find(table.name)->second;
  if (table.name != summed_table || schema.kind != dialect::sqlite) return columns;
  std::erase_if(columns, [](const auto& column) { return column.name.starts_with("cost_"); });
  columns.push_back({std::string(summed_column), "numeric"});
  return columns;
}

const catalog_column* find(const std::vector<catalog_column>& columns, const std::string& name) {
  const auto column = std::ranges::find(columns, name, &catalog_column::name);
  return column == columns.end() ? nullptr : &*column;
}

planned_column plan_column(const store_schema& source, const catalog_column& source_column,
                           const catalog_column& target_column, const table_entry& table) {
  // PostgreSQL's types are more specific than SQLite's.
  const auto& type = source.kind == dialect::postgresql ? source_column.type : target_column.type;
  const auto form = value_form_of(type);
  if (!form)
    throw failure("unknown type " + type + " of column " + std::string(table.name) + '.' +
                  source_column.name);
  return {source_column.name, *form, source_column.type, target_column.type};
}

planned_table plan_table(const store_schema& source, const store_schema& target, const table_entry& table) {
  const auto source_columns = compared_columns(source, table),
             target_columns = compared_columns(target, table);
  for (const auto& column : target_columns)
    if (!find(source_columns, column.name))
      throw failure(std::string(table.name) + '.' + column.name + " is in the target only");
  planned_table plan{&table, {}, {}};
  for (const auto& column : source_columns) {
    const auto* counterpart = find(target_columns, column.name);
    if (!counterpart) throw failure(std::string(table.name) + '.' + column.name + " is in the source only");
    plan.columns.push_back(plan_column(source, column, *counterpart, table));
  }
  for (const auto name : table.key) {
    const auto column = std::ranges::find(plan.columns, name, &planned_column::name);
    if (column == plan.columns.end())
      throw failure(std::string(table.name) + " has no column " + std::string(name));
    plan.key.push_back(static_cast<std::size_t>(column - plan.columns.begin()));
  }
  return plan;
}

/// Returns whether only SQLite has the table.
bool is_sqlite_only(std::string_view table) {
  return table == "import_steps" || table == "import_counts" || table == "pending_import";
}

void require_listed(const store_schema& schema) {
  std::string problems;
  for (const auto& line : schema_mismatches(schema.tables))
    if (schema.kind == dialect::sqlite || !is_sqlite_only(line.substr(0, line.find(' '))))
      problems.append(problems.empty() ? "" : "; ").append(line);
  if (!problems.empty()) throw failure("the list of tables to copy does not match the schema: " + problems);
}

} // namespace

std::span<const table_entry> table_entries() {
  using enum table_use;
  static const std::vector<table_entry> entries{
      {"accounts", copied, {"id"}},
      {"platform_cards", copied, {"account_id", "platform"}},
      {"users", copied, {"id"}},
      {"properties", copied, {"id"}},
      {"units", copied, {"id"}},
      {"unit_month_rents", copied, {"unit_id", "month"}},
      {"booking_windows", copied, {"unit_id", "position"}},
      {"links", copied, {"unit_id", "platform"}},
      {"former_links", copied, {"external_id", "platform", "account_id"}},
      {"exclusions", copied, {"unit_id", "platform"}},
      {"changelog", copied, {"id"}},
      {"tenants", copied, {"account_id", "id"}},
      {"former_addresses", copied, {"account_id", "tenant_id", "email"}},
      {"booking_requests", copied, {"id"}, "seq"},
      {"request_totals", copied, {"state"}, {}, "total <> 0"},
      {"bookings", copied, {"id"}},
      {"stay_changes", copied, {"platform", "reference", "id"}, "seq"},
      {"holds", copied, {"platform", "id"}},
      {"outcome_numbers", copied, {"platform"}},
      {"outcome_changes", copied, {"platform", "number"}},
      {"received_payments", copied, {"id"}},
      {"unit_calendars", copied, {"id"}},
      {"calendar_events", copied, {"calendar_id", "first_night", "last_night"}},
      {"blocks", copied, {"id"}},
      {"replaced_blocks", copied, {"id"}},
      {"office_creations", copied, {"id"}},
      {"office_changes", copied, {"part", "id", "platform"}},
      {"notifications", copied, {"id"}},
      {"notification_reads", copied, {"user_id", "notification_id"}},
      {"outgoing_mail", copied, {"id"}},
      {"ai_budget_warnings", copied, {"month", "account_id", "threshold"}},
      {"ai_usage", copied, {"id"}},
      {"ai_usage_days", computed, {"account_id", "day", "feature", "model"}},
      {"ai_usage_newest", computed, {"account_id", "feature", "model"}},
      {"partner_tokens", copied, {"id"}},
      {"account_keys", copied, {"id"}},
      {"webhook_keys", copied, {"id"}},
      {"usage_keys", copied, {"id"}},
      {"tool_server_keys", copied, {"id"}},
      {"api_keys", copied, {"id"}},
      {"credential_uses", copied, {"credential_id"}},
      {"sessions", copied, {"id"}},
      {"sign_in_challenges", copied, {"id"}},
      {"sign_in_codes", copied, {"id"}},
      {"wrong_passwords", copied, {"id"}},
      {"remembered_browsers", copied, {"id"}},
      {"known_browsers", copied, {"user_id", "token_hash"}},
      {"password_resets", copied, {"id"}},
      {"identity_token_uses", copied, {"id"}},
      {"connector_clients", copied, {"id"}},
      {"connector_codes", copied, {"id"}},
      {"connections", copied, {"id"}},
      {"former_users", copied, {"user_id"}},
      {"signing_keys", copied, {"id"}},
      {"audit", copied, {"id"}},
      {"trusted_time", copied, {"id"}, {}, "1 = 0"},
      // The stream is the store's history, which the copy does not share.
      {"changes", own},
      {"change_stream", own},
      {"writer_lease", own},
      {"schema_migrations", own},
      // For piecewise imports in SQLite: none is pending when a store is copied.
      {"import_steps", own},
      {"import_counts", own},
      {"pending_import", own},
      {"store_copy", own},
      {"store_copy_tables", own},
  };
  return entries;
}

catalog read_catalog(session& db) {
  catalog result;
  db.internals().read(db.is_sqlite() ? sqlite_columns : postgresql_columns, {},
                      [&](const std::string& table, std::string column, std::string type) {
                        result[table].push_back({std::move(column), std::move(type)});
                      });
  return result;
}

store_schema read_schema(session& db) { return {read_catalog(db), db.internals().dialect()}; }

std::vector<std::string> schema_mismatches(const catalog& tables) {
  std::vector<std::string> lines;
  const auto entries = table_entries();
  for (const auto& [name, columns] : tables)
    if (std::ranges::find(entries, name, &table_entry::name) == entries.end())
      lines.push_back(name + " is not in the list");
  for (const auto& entry : entries)
    if (!tables.contains(entry.name)) lines.push_back(std::string(entry.name) + " is not in the store");
  return lines;
}

std::vector<planned_table> plan_copy(const store_schema& source, const store_schema& target) {
  require_listed(source);
  require_listed(target);
  std::vector<planned_table> plan;
  for (const auto& entry : table_entries())
    if (entry.use != table_use::own) plan.push_back(plan_table(source, target, entry));
  return plan;
}

} // namespace roost::store
