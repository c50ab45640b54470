#include "actors/office/office_resources.hpp"
#include "http/office/change_objects.hpp"
#include "http/office/office_api.hpp"
#include "http/office/table_columns.hpp"
#include "http/office/unit_objects.hpp"

#include <algorithm>
#include <memory>

namespace roost::http {

namespace {

using domain::portfolio_unit;
using portfolio::field, portfolio::record;
using store::office_result;
namespace kind = portfolio::kind;

constexpr std::size_t max_import_rows = 1'000; // written in one transaction, which must be short

/// The result of one row.
struct imported_unit {
  std::int64_t row = 0;
  std::optional<domain::uuid> id;
  std::string name;
  std::string_view result;
  std::vector<domain::field_change> changes;
};

struct unit_import {
  bool is_plan = false;
  std::int64_t created = 0, changed = 0, unchanged = 0;
  std::vector<imported_unit> units = {};
};

constexpr auto imported_unit_object = record<imported_unit>(
    field("row", kind::whole{2, max_import_rows + 1}, &imported_unit::row,
          "In the table; its first row has the names"),
    field("id", kind::id, &imported_unit::id, "null in a plan, if the row has none"),
    field("internalName", stored_text{}, &imported_unit::name, ""),
    field("result", stored_text{}, &imported_unit::result, "`created`, `changed` or `unchanged`"),
    field("changes", kind::list{field_change_object}, &imported_unit::changes, "Of a changed unit"));

constexpr auto unit_import_object = record<unit_import>(
    field("plan", kind::flag, &unit_import::is_plan, "Whether nothing was written"),
    field("created", kind::whole{0, max_import_rows}, &unit_import::created, "The number of new units"),
    field("changed", kind::whole{0, max_import_rows}, &unit_import::changed, ""),
    field("unchanged", kind::whole{0, max_import_rows}, &unit_import::unchanged, ""),
    field("units", kind::list{imported_unit_object}, &unit_import::units, "In the order of the rows"));

/// A unit that an older state of was exported.
struct outdated_unit {
  std::int64_t row = 0;
  domain::uuid id{};
  store::last_change last;
  std::vector<std::string> changed;
};
constexpr auto outdated_unit_object = record<outdated_unit>(
    field("row", kind::whole{2, max_import_rows + 1}, &outdated_unit::row, "In the table"),
    field("id", kind::id, &outdated_unit::id, ""),
    field("changedBy", stored_text{}, portfolio::via(&outdated_unit::last, &store::last_change::by),
          "A user's email address, a platform, or `import`"),
    field("changedAt", kind::moment, portfolio::via(&outdated_unit::last, &store::last_change::at),
          "The time of the last change"),
    field("changed", kind::labels, &outdated_unit::changed, "The members that differ from the export"));

/// The units that a client has sent, with what is needed to apply them.
struct sent_units {
  explicit sent_units(std::string_view text)
      : table(text, columns_of(office_unit_object), {"etag"}, max_import_rows),
        usual(values_of(office_unit_object, portfolio_unit{})) {}

  sent_table table;
  column_values usual; ///< the values of a unit with defaults
};

/// Returns whether the row has no entity tag, or that of the stored state.
bool has_current_tag(const sent_units& sent, std::size_t row, const portfolio_unit& stored) {
  const auto tag = sent.table.cell(row, "etag").value_or("");
  return tag.empty() || tag == tag_of(office_unit_object, stored);
}

/// Applies a row to its unit. If the unit has changed since the export, so may have what is read-only.
store::unit_row_edit apply_row(const office_services& services, const sent_units& sent, std::size_t row,
                               portfolio_unit& unit, bool is_new) {
  const auto before = unit;
  const bool is_current = is_new || has_current_tag(sent, row, unit);
  const auto body = sent.table.body_of(row, values_of(office_unit_object, unit), sent.usual,
                                       is_current ? read_only_cells::refused : read_only_cells::ignored);
  const auto expected = is_new ? portfolio::expected_members::required : portfolio::expected_members::any;
  const auto found = portfolio::read_body(body, office_unit_object, unit, services.configured, expected);
  store::unit_row_edit edit;
  for (const auto& problem : found.problems) edit.problems.push_back(portfolio::to_message(problem));
  if (is_new && unit.terms.id.is_nil()) unit.terms.id = services.new_id();
  if (edit.problems.empty())
    edit.changes = changes_between(office_unit_object, is_new ? nullptr : &before, unit);
  return edit;
}

store::unit_table table_of(const office_services& services, const std::shared_ptr<const sent_units>& sent) {
  store::unit_table table;
  for (std::size_t i = 0; i < sent->table.size(); ++i)
    table.ids.push_back(domain::parse_uuid(sent->table.cell(i, "id").value_or("")));
  table.apply = [&services, sent](std::size_t row, portfolio_unit& unit, bool is_new) {
    return apply_row(services, *sent, row, unit, is_new);
  };
  table.is_current = [sent](std::size_t row, const portfolio_unit& stored) {
    return has_current_tag(*sent, row, stored);
  };
  return table;
}

/// Returns all problems of the rows, each with its path: `units[2].rent.amount must not be less than 0`.
std::string problems_of(const sent_units& sent, const store::unit_table_outcome& done) {
  constexpr std::size_t first_row = 2; // after the names of the columns
  message_list problems;
  for (std::size_t i = 0; i < done.rows.size(); ++i)
    for (const auto& problem : done.rows[i].problems)
      problems.refuse("units[" + std::to_string(sent.table.number_of(i) - first_row) + "]." + problem);
  return problems.text();
}

error outdated_units(const sent_units& sent, const store::unit_table_outcome& done) {
  const auto names = members_of(office_unit_object);
  std::string units;
  for (std::size_t i = 0; i < done.rows.size(); ++i) {
    const auto& row = done.rows[i];
    if (row.result != office_result::outdated) continue;
    outdated_unit unit{static_cast<std::int64_t>(sent.table.number_of(i)), row.unit.terms.id, row.last, {}};
    const auto known = sent.table.cell(i, "etag").value_or("");
    const auto current = tag_of(office_unit_object, row.unit);
    for (const auto position : differing_members(known, current, names.size()))
      unit.changed.emplace_back(names[position]);
    units.append(units.empty() ? "" : ",").append(object_json(outdated_unit_object, unit));
  }
  auto refusal = precondition_failed("Units have changed since they were exported");
  refusal.with("units", json_value{'[' + units + ']'});
  return refusal;
}

unit_import result_of(const sent_units& sent, store::unit_table_outcome done, bool is_plan) {
  unit_import result{is_plan};
  for (std::size_t i = 0; i < done.rows.size(); ++i) {
    auto& row = done.rows[i];
    const bool is_new = row.result == office_result::created,
               is_changed = row.result == office_result::changed;
    ++(is_new ? result.created : is_changed ? result.changed : result.unchanged);
    imported_unit unit{static_cast<std::int64_t>(sent.table.number_of(i)),
                       row.unit.terms.id,
                       row.unit.terms.internal_name,
                       is_new       ? "created"
                       : is_changed ? "changed"
                                    : "unchanged",
                       {}};
    if (is_changed) unit.changes = std::move(row.changes);
    if (is_new && is_plan && sent.table.cell(i, "id").value_or("").empty()) unit.id.reset();
    result.units.push_back(std::move(unit));
  }
  return result;
}

/// Reads or writes the table. Rows are applied on the store's thread: they may be many.
asio::awaitable<store::unit_table_outcome> run_table(const office_services& services, const request& req,
                                                     store::unit_table table, bool is_plan) {
  const auto scope = scope_of(req);
  if (is_plan) {
    std::function<store::unit_table_outcome(store::session&)> plan =
        [scope, table = std::move(table)](store::session& db) {
          return store::plan_unit_table(db, scope, table);
        };
    auto planned = co_await actors::in_store(services.storage, "office_read", std::move(plan));
    co_return std::move(planned);
  }
  auto author = author_of(services, req, "unit change", {}, {});
  std::function<store::unit_table_outcome(store::session&, const store::lease&)> work =
      [scope, table = std::move(table), author = std::move(author),
       new_id = services.new_id](store::session& db, const store::lease& held) {
        return store::write_unit_table(db, held, scope, table, author, new_id);
      };
  auto lane = services.lane();
  auto written = co_await actors::write_for_office(std::move(lane), std::move(work));
  co_return std::move(written);
}

asio::awaitable<response> import_units(const office_services& services, request& req) {
  query_reader query(req.query, {"plan"});
  const bool is_plan = query.value("plan", parse_flag, " must be true or false").value_or(false);
  query.throw_if_refused();
  const auto sent = std::make_shared<const sent_units>(req.body);
  auto table = table_of(services, sent);
  auto done = co_await run_table(services, req, std::move(table), is_plan);
  if (done.result == office_result::refused) throw bad_request(problems_of(*sent, done));
  if (done.result == office_result::outdated) throw outdated_units(*sent, done);
  if (done.result == office_result::conflicting) throw conflict(problems_of(*sent, done));
  co_return json(200, object_json(unit_import_object, result_of(*sent, std::move(done), is_plan)));
}

const operation import_operation{
    .id = "importUnits",
    .summary = "Creates and changes units from a table like that of listUnits as CSV: all of them or none",
    .body_text = "text/csv",
    .responses = {{200, "What was written, or with plan=true what would be", "UnitImport"},
                  {403, "The role lacks listings.edit", "Error"},
                  {409, "Other units contradict the rows: all problems with their paths", "Error"},
                  {412, "Units have changed since they were exported: which, by whom and when",
                   "OutdatedUnits"},
                  {413, "The table has more than 1 MiB", "Error"},
                  {415, "The body is not sent as text/csv", "Error"}},
    .queries = {{"plan", "true: writes nothing", "ListFlag"}}};

} // namespace

std::vector<route> unit_import_routes(const office_services& services) {
  return routes_for(services, {{"POST", "/api/units/import", body_policy::csv, "listings.edit", import_units,
                                &import_operation}});
}

void add_unit_import_schemas(json::schemas& to) {
  to.add("UnitImport", json::schema_of(unit_import_object));
  auto units = json::array_of(json::schema_of(outdated_unit_object));
  units.member = "units";
  json::schema outdated{{.type = "object"}};
  outdated.bases = {"Error"};
  outdated.members = {units};
  to.add("OutdatedUnits", outdated);
}

} // namespace roost::http
