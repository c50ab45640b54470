#include "store/office/unit_table.hpp"

#include "store/database/connection.hpp"
#include "store/office/unit_rows.hpp"
#include "store/office/units.hpp"
#include "store/portfolio/stored_rows.hpp"
#include "store/portfolio/stored_units.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace roost::store {

namespace {

using domain::portfolio_unit;

const std::string select_units_in_scope =
    "select {columns} from units u join properties p on p.id = u.property_id"
    " where u.id in {ids uuid} and u.account_id = :account"
    " and (:owner = '' or cast(p.owner_id as text) = :owner)";
const selection units_in_scope{"units_in_scope", select_units_in_scope, named<domain::uuid>("u.id")};
/// Both skip a row that is locked already: see locked_elsewhere.
const selection locked_units_in_scope{"locked_units_in_scope",
                                      select_units_in_scope + " {for no key update of u skip locked}",
                                      named<domain::uuid>("u.id")};
const std::string select_properties_in_scope =
    "select {columns} from properties p where p.id in {ids uuid} and p.account_id = :account"
    " and (:owner = '' or cast(p.owner_id as text) = :owner)";
const selection properties_in_scope{"properties_in_scope", select_properties_in_scope,
                                    named<domain::uuid>("p.id")};
const selection locked_properties_in_scope{
    "locked_properties_in_scope", select_properties_in_scope + " {for no key update of p skip locked}",
    named<domain::uuid>("p.id")};
/// Also as the address of a calendar export.
const selection taken_unit_ids{"taken_unit_ids",
                               "select {columns} from (select id from units where id in {ids uuid}"
                               " union select coalesce(export_address, id) as id from units"
                               " where coalesce(export_address, id) in {ids uuid}) as taken",
                               named<domain::uuid>("id")};

/// A unit of the account with what must be unique.
struct known_unit {
  domain::uuid id{}, property_id{};
  std::string name;
  domain::unit_kind kind{};
};
const selection units_of_account{
    "names_of_units", "select {columns} from units where account_id = :account",
    columns(column("id", &known_unit::id), column("property_id", &known_unit::property_id),
            column("internal_name", &known_unit::name), column("kind", &known_unit::kind))};

/// Whether the rows that a table concerns are locked.
enum class locking { no, yes };

/// What a table does, checked against the store.
class table_check {
public:
  table_check(session& db, const office_scope& scope, const unit_table& table, locking locks)
      : db_(db), scope_(scope), table_(table), locks_(locks) {}

  unit_table_outcome run() {
    read_stored();
    for (std::size_t i = 0; i < table_.ids.size(); ++i) apply(i);
    if (ends_with(office_result::refused)) return std::move(done_);
    if (ends_with(office_result::outdated)) return std::move(done_);
    check_properties();
    if (ends_with(office_result::refused)) return std::move(done_);
    check_uniqueness();
    ends_with(office_result::conflicting);
    return std::move(done_);
  }

  /// Returns the unit that a row changes as it is stored; null if the row creates one.
  const portfolio_unit* stored(std::size_t row) const {
    const auto& id = table_.ids[row];
    const auto found = id ? stored_.find(*id) : stored_.end();
    return found != stored_.end() ? &found->second : nullptr;
  }

  bool is_id_chosen(std::size_t row) const { return table_.ids[row].has_value(); }

private:
  parameters scoped(const std::vector<domain::uuid>& ids) {
    return {{"ids", db_.internals().list(ids)},
            {"account", scope_.account_id},
            {"owner", text_or_empty(scope_.owner_id)}};
  }

  /// Returns those of the ids that the scope contains, locked if necessary.
  template <typename Selection>
  id_set find_in_scope(const Selection& rows, const Selection& locked, const std::vector<domain::uuid>& ids) {
    if (ids.empty()) return {};
    const auto found = db_.internals().read_all(rows, scoped(ids));
    if (locks_ == locking::yes && db_.internals().read_all(locked, scoped(ids)).size() != found.size())
      throw locked_elsewhere("a unit or a property is being changed");
    return {found.begin(), found.end()};
  }

  void read_stored() {
    std::vector<domain::uuid> ids;
    for (const auto& id : table_.ids)
      if (id && named_.insert(*id).second) ids.push_back(*id);
    if (ids.empty()) return;
    const auto found = find_in_scope(units_in_scope, locked_units_in_scope, ids);
    const std::vector<domain::uuid> existing(found.begin(), found.end());
    for (auto& unit : read_units(db_, existing)) {
      const auto id = unit.terms.id;
      stored_.emplace(id, std::move(unit));
    }
    for (const auto& id : db_.internals().read_all(taken_unit_ids, {{"ids", db_.internals().list(ids)}}))
      taken_.insert(id);
    named_.clear();
  }

  void apply(std::size_t index) {
    unit_row_outcome row;
    const auto* before = stored(index);
    if (before != nullptr) row.unit = *before;
    auto edit = table_.apply(index, row.unit, before == nullptr);
    row.changes = std::move(edit.changes);
    row.problems = std::move(edit.problems);
    if (const auto& id = table_.ids[index]; id && !named_.insert(*id).second)
      row.problems.emplace_back("id is the id of an earlier row");
    if (!row.problems.empty())
      row.result = office_result::refused;
    else if (before == nullptr)
      row.result = office_result::created;
    else if (!row.changes.empty())
      row.result = table_.is_current(index, *before) ? office_result::changed : office_result::outdated;
    if (row.result == office_result::outdated) row.unit = *before;
    done_.rows.push_back(std::move(row));
  }

  /// Returns whether a row has this result, which then is that of the table.
  bool ends_with(office_result result) {
    if (std::ranges::find(done_.rows, result, &unit_row_outcome::result) == done_.rows.end()) return false;
    done_.result = result;
    return true;
  }

  static void refuse(unit_row_outcome& row, office_result result, const char* problem) {
    row.result = result;
    row.problems.emplace_back(problem);
  }

  bool is_written(std::size_t row) const {
    const auto result = done_.rows[row].result;
    return result == office_result::created || result == office_result::changed;
  }

  bool is_moved(std::size_t row) const {
    const auto* before = stored(row);
    return is_written(row) &&
           (before == nullptr || before->terms.property_id != done_.rows[row].unit.terms.property_id);
  }

  void check_properties() {
    std::vector<domain::uuid> ids;
    for (std::size_t i = 0; i < done_.rows.size(); ++i)
      if (is_moved(i)) ids.push_back(done_.rows[i].unit.terms.property_id);
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const auto known = find_in_scope(properties_in_scope, locked_properties_in_scope, ids);
    for (std::size_t i = 0; i < done_.rows.size(); ++i)
      if (is_moved(i) && !known.contains(done_.rows[i].unit.terms.property_id))
        refuse(done_.rows[i], office_result::refused, "propertyId must be a property of the account");
  }

  /// Checks the units of the account as they would be: units may exchange their names.
  void check_uniqueness() {
    std::map<std::string_view, std::size_t> names;
    by_id<std::size_t> whole_units; // of kind property, by property
    const auto units = db_.internals().read_all(units_of_account, {{"account", scope_.account_id}});
    for (const auto& unit : units) {
      if (named_.contains(unit.id)) continue; // its row follows
      ++names[unit.name];
      if (unit.kind == domain::unit_kind::property) ++whole_units[unit.property_id];
    }
    for (std::size_t i = 0; i < done_.rows.size(); ++i) { // what stays as it is comes first
      const auto& terms = done_.rows[i].unit.terms;
      if (is_written(i)) continue;
      ++names[terms.internal_name];
      if (terms.kind == domain::unit_kind::property) ++whole_units[terms.property_id];
    }
    for (std::size_t i = 0; i < done_.rows.size(); ++i) {
      if (!is_written(i)) continue;
      auto& row = done_.rows[i];
      const auto& terms = row.unit.terms;
      const bool is_whole = terms.kind == domain::unit_kind::property;
      const bool is_named_alike = names[terms.internal_name]++ > 0;
      const bool is_second = is_whole && whole_units[terms.property_id]++ > 0;
      if (stored(i) == nullptr && taken_.contains(terms.id))
        refuse(row, office_result::conflicting, "id is the id of another unit");
      if (is_named_alike) refuse(row, office_result::conflicting, "internalName is the name of another unit");
      if (is_second)
        refuse(row, office_result::conflicting, "kind is property, but the property has another such unit");
    }
  }

  session& db_;
  const office_scope& scope_;
  const unit_table& table_;
  const locking locks_;
  by_id<portfolio_unit> stored_;
  id_set taken_; ///< ids of rows that exist, also in other accounts
  id_set named_; ///< ids of rows
  unit_table_outcome done_;
};

/// Of the rows of an outdated table.
void find_last_changes(session& db, const office_scope& scope, unit_table_outcome& done) {
  if (done.result != office_result::outdated) return;
  for (auto& row : done.rows)
    if (row.result == office_result::outdated) row.last = last_change_of_unit(db, scope, row.unit);
}

/// Writes what a table does.
stream_point write_rows(session& db, const office_scope& scope, const table_check& check,
                        unit_table_outcome& done, const office_author& author,
                        const std::function<domain::uuid()>& new_id) {
  std::vector<office_unit_rows::unit_write> units;
  std::vector<audit_entry> audits;
  std::vector<domain::uuid> chosen_ids; // of new units; deleted ones may have had them
  office_trace trace{{change_kind::account, {scope.account_id}, {}, {}}};
  for (std::size_t i = 0; i < done.rows.size(); ++i) {
    auto& row = done.rows[i];
    if (row.result == office_result::unchanged) continue;
    const auto& id = row.unit.terms.id;
    const auto* before = check.stored(i);
    auto audit = author.audit;
    audit.id = new_id();
    audit.action = before != nullptr ? "unit change" : "unit creation";
    audit.subject = domain::to_string(id);
    audit.detail = describe(row.changes);
    trace.entries.push_back({id, id, row.changes, audit.id});
    trace.change.units.push_back(id);
    audits.push_back(std::move(audit));
    units.push_back({before, &row.unit});
    if (before == nullptr && check.is_id_chosen(i)) chosen_ids.push_back(id);
  }
  if (units.empty()) return newest_point(db);
  forget_creations(db, chosen_ids);
  trace.change.shown = office_unit_rows::shown_moves(db, units);
  trace.marks = office_unit_rows::write(db, scope, units, author.now);
  return record(db, scope, author, std::move(audits), std::move(trace));
}

} // namespace

unit_table_outcome plan_unit_table(session& db, const office_scope& scope, const unit_table& table) {
  const transaction txn(db, transaction::purpose::read);
  auto done = table_check(db, scope, table, locking::no).run();
  find_last_changes(db, scope, done);
  return done;
}

unit_table_outcome write_unit_table(session& db, const lease& held, const office_scope& scope,
                                    const unit_table& table, const office_author& author,
                                    const std::function<domain::uuid()>& new_id) {
  return with_retries([&] {
    office_transaction txn(db, held);
    lock_marks(db, scope);
    table_check check(db, scope, table, locking::yes);
    auto done = check.run();
    find_last_changes(db, scope, done);
    if (done.result != office_result::changed) return done;
    done.point = write_rows(db, scope, check, done, author, new_id);
    txn.commit();
    return done;
  });
}

} // namespace roost::store
