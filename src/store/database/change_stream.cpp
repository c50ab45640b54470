#include "store/database/change_stream.hpp"

#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::store {

namespace {

/// A list of ids: an array in PostgreSQL, JSON in SQLite. Reads both formats, which contain only ids,
/// brackets, commas and quotes; parameters are written with session::connection::list().
struct uuid_list_format {
  static constexpr auto type = "uuid[]";

  static bool write(std::string& to, const std::vector<domain::uuid>& ids) {
    to += list_of(ids, dialect::postgresql);
    return true;
  }

  static bool read(const std::string* text, std::vector<domain::uuid>& into) {
    constexpr std::string_view separators = "{}[],\"";
    if (!text) return false;
    into.clear();
    for (auto begin = text->find_first_not_of(separators); begin != std::string::npos;) {
      const auto end = std::min(text->find_first_of(separators, begin), text->size());
      const auto id = domain::parse_uuid(std::string_view(*text).substr(begin, end - begin));
      if (!id) return false;
      into.push_back(*id);
      begin = text->find_first_not_of(separators, end);
    }
    return true;
  }
};

/// Pairs of a resource and its owner, as a list of ids.
struct shown_format {
  static constexpr auto type = "uuid[]";

  static std::vector<domain::uuid> flat(const shown_resources& resources) {
    std::vector<domain::uuid> ids;
    ids.reserve(resources.size() * 2);
    for (const auto& each : resources) {
      ids.push_back(each.id);
      ids.push_back(each.owner_id.value_or(domain::uuid{}));
    }
    return ids;
  }

  static bool write(std::string& to, const std::optional<shown_resources>& resources) {
    return resources && uuid_list_format::write(to, flat(*resources));
  }

  static bool read(const std::string* text, std::optional<shown_resources>& into) {
    into.reset();
    if (!text) return true;
    std::vector<domain::uuid> ids;
    if (!uuid_list_format::read(text, ids) || ids.size() % 2 != 0) return false;
    auto& resources = into.emplace();
    for (std::size_t i = 0; i < ids.size(); i += 2) {
      auto& each = resources.emplace_back(shown_resource{ids[i], {}});
      if (!ids[i + 1].is_nil()) each.owner_id = ids[i + 1];
    }
    return true;
  }
};

constexpr auto point_columns =
    columns(column("position", &stream_point::position), column("id", &stream_point::id));

constexpr query next_position{"next_position",
                              "update change_stream set position = position + 1 where id = 1"};

const selection lock_newest{"lock_stream", "select {columns} from change_stream where id = 1 {for update}",
                            named<std::int64_t>("position")};

/// A single statement in PostgreSQL, because it blocks all other commits until this one.
const selection append_change{
    "append_change",
    {"with stream as (update change_stream set position = position + 1 where id = 1 returning position)"
     " insert into changes (position, id, kind, accounts, units, subjects, shown, at)"
     " select position, gen_random_uuid(), :kind, :accounts::uuid[], :units::uuid[], :subjects::uuid[],"
     " :shown::uuid[], {now} from stream returning {columns}",
     "insert into changes (position, id, kind, accounts, units, subjects, shown, at)"
     " select position, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' ||"
     " substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),"
     " :kind, :accounts, :units, :subjects, :shown, {now} from change_stream where id = 1 returning "
     "{columns}"},
    point_columns};

/// Takes the positions of all changes with one update of the row that serializes commits.
const selection append_changes{
    "append_changes",
    {"with input as (select * from unnest(:kinds::text[], :accounts::text[], :units::text[], "
     ":subjects::text[], :shown::text[])"
     " with ordinality as r(kind, accounts, units, subjects, shown, n)),"
     " stream as (update change_stream set position = position + (select count(*) from input) where id = 1"
     " returning position - (select count(*) from input) as before)"
     " insert into changes (position, id, kind, accounts, units, subjects, shown, at)"
     " select s.before + r.n, gen_random_uuid(), r.kind, r.accounts::uuid[], r.units::uuid[],"
     " r.subjects::uuid[], nullif(r.shown, '')::uuid[], {now} from input r cross join stream s returning "
     "{columns}",
     ""},
    point_columns};

constexpr auto entry_columns =
    columns(nested(&stream_entry::at, point_columns), column("kind", &stream_entry::change, &change::kind),
            column<uuid_list_format>("accounts", &stream_entry::change, &change::accounts),
            column<uuid_list_format>("units", &stream_entry::change, &change::units),
            column<uuid_list_format>("subjects", &stream_entry::change, &change::subjects),
            column<shown_format>("shown", &stream_entry::change, &change::shown),
            column("at", &stream_entry::written_at));

const selection read_entries{
    "read_entries", "select {columns} from changes where position > :position order by position limit :max",
    entry_columns};

const selection read_newest{
    "read_newest",
    "select {columns} from changes c join change_stream s on s.position = c.position where s.id = 1",
    point_columns.of("c")};

const selection read_view{
    "read_view",
    "select {columns} from changes c join change_stream s on s.position = c.position where s.id = 1",
    columns(
        nested(&stream_view::newest, point_columns.of("c")), column("c.at", &stream_view::written_at),
        column("exists (select 1 from changes where position = :position and id = :id)",
               &stream_view::has_known_point),
        column("not exists (select 1 from changes where position <= :position)", &stream_view::is_pruned))};

const selection changed_accounts{
    "changed_accounts",
    {"select distinct {columns} from changes c cross join unnest(c.accounts) as a(id)"
     " where c.position > :since and ((c.kind = 'account' and cardinality(c.subjects) = 0)"
     " or c.kind = 'tenant') and a.id in {accounts uuid}",
     "select distinct {columns} from (select j.value as id from changes c cross join json_each(c.accounts)"
     " as j where c.position > :since and ((c.kind = 'account' and c.subjects = '[]')"
     " or c.kind = 'tenant')) as a"
     " where a.id in {accounts uuid}"},
    named<domain::uuid>("a.id")};

const selection newest_of_portfolio{"newest_of_portfolio",
                                    "select {columns} from changes where kind in ('account', 'unit')",
                                    named<std::int64_t>("coalesce(max(position), 0)")};

const selection read_portfolio_changes{"portfolio_changes",
                                       "select {columns} from changes where position > :position"
                                       " and kind in ('account', 'unit') order by position",
                                       entry_columns};

const selection read_applied{"read_applied", "select {columns} from change_stream where id = 1",
                             named<std::int64_t>("applied")};
constexpr query write_applied{"write_applied", "update change_stream set applied = :position where id = 1"};

constexpr query prune{
    "prune",
    "delete from changes where position in (select position from changes where at < {now - :milliseconds}"
    " and position < (select position from change_stream where id = 1) order by position limit :max)"};

cell shown_cell(session::connection& connection, const change& change) {
  return change.shown ? cell(connection.list(shown_format::flat(*change.shown))) : cell{};
}

} // namespace

stream_point append(session& db, const change& change) {
  auto& connection = db.internals();
  if (connection.dialect() == dialect::sqlite) connection.write(next_position);
  return connection
      .read_one(append_change, {{"kind", domain::to_string(change.kind)},
                                {"accounts", connection.list(change.accounts)},
                                {"units", connection.list(change.units)},
                                {"subjects", connection.list(change.subjects)},
                                {"shown", shown_cell(connection, change)}})
      .value();
}

std::vector<stream_point> append_all(session& db, std::span<const change> changes) {
  auto& connection = db.internals();
  std::vector<stream_point> points;
  if (connection.dialect() == dialect::sqlite || changes.size() <= 1) {
    for (const auto& change : changes) points.push_back(append(db, change));
    return points;
  }
  std::vector<std::string> kinds, accounts, units, subjects, shown;
  for (const auto& change : changes) {
    kinds.emplace_back(domain::to_string(change.kind));
    accounts.push_back(connection.list(change.accounts));
    units.push_back(connection.list(change.units));
    subjects.push_back(connection.list(change.subjects));
    shown.push_back(shown_cell(connection, change).value_or(""));
  }
  points = connection.read_all(append_changes, {{"kinds", connection.list(kinds)},
                                                {"accounts", connection.list(accounts)},
                                                {"units", connection.list(units)},
                                                {"subjects", connection.list(subjects)},
                                                {"shown", connection.list(shown)}});
  std::ranges::sort(points, {}, &stream_point::position);
  return points;
}

std::int64_t lock_stream(session& db) { return db.internals().read_one(lock_newest).value_or(0); }

stream_point record_change(session& db, const change& change) {
  transaction txn(db, transaction::purpose::write);
  const auto point = append(db, change);
  txn.commit();
  return point;
}

std::vector<stream_entry> entries_after(session& db, std::int64_t position, std::size_t max_entries) {
  return db.internals().read_all(read_entries, {{"position", position}, {"max", max_entries}});
}

stream_point newest_point(session& db) {
  return db.internals().read_one(read_newest).value_or(stream_point{});
}

stream_view view_stream(session& db, const stream_point& known) {
  return db.internals()
      .read_one(read_view, {{"position", known.position}, {"id", known.id}})
      .value_or(stream_view{});
}

std::vector<domain::uuid> accounts_changed_since(session& db, std::int64_t since,
                                                 std::span<const domain::uuid> accounts) {
  auto& connection = db.internals();
  return connection.read_all(changed_accounts, {{"since", since}, {"accounts", connection.list(accounts)}});
}

std::int64_t newest_portfolio_change(session& db) {
  return db.internals().read_one(newest_of_portfolio).value_or(0);
}

std::vector<stream_entry> portfolio_changes_since(session& db, std::int64_t position) {
  return db.internals().read_all(read_portfolio_changes, {{"position", position}});
}

std::int64_t applied_position(session& db) { return db.internals().read_one(read_applied).value_or(0); }

void mark_applied(session& db, const lease& held, std::int64_t position) {
  write_transaction txn(db, held);
  db.internals().write(write_applied, {{"position", position}});
  txn.commit();
}

std::int64_t prune_changes(session& db, const lease& held, std::chrono::milliseconds max_age,
                           std::size_t max_entries) {
  write_transaction txn(db, held);
  const auto deleted = db.internals().write(prune, {{"milliseconds", max_age.count()}, {"max", max_entries}});
  txn.commit();
  return deleted;
}

} // namespace roost::store
